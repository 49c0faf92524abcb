package io.tidemark.server.volume;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.core.volume.VolumeSweeper;
import io.tidemark.server.machine.SocketOwner;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where health and metrics are served: at the address of the settings, on another port where the default one is taken (several
 * evictors on one machine), or nowhere where the setting is empty.
 */
final class MetricsAddress {
    private final VolumeOptions options;
    private final String address;
    private final VolumeLog log;

    /** What the log is still to say of it. */
    private final List<Runnable> untold = new ArrayList<>();

    MetricsAddress(VolumeOptions options, VolumeLog log) {
        this.options = options;
        this.address = options.get(VolumeSettings.HTTP);
        this.log = log;
    }

    /**
     * Begins to serve; {@link #tell} says where.
     *
     * @throws IOException when the address was set and cannot be had
     * @throws VolumeSettingException when there is no such host, or it is open to others without being meant
     */
    Optional<VolumeHttp> serve(VolumeSweeper sweeper, DeleteEvents events) throws IOException {
        if (address.isEmpty()) {
            return Optional.empty();
        }
        HttpServer server;
        String taken = "";
        try {
            server = VolumeHttp.bind(address, options.get(VolumeSettings.HTTP_OPEN));
        } catch (BindException e) {
            if (options.isGiven(VolumeSettings.HTTP)) {
                throw e;
            }
            taken = address + " is taken" + holder();
            server = VolumeHttp.bind(address.replaceFirst("\\d+$", "0"), false);
        }
        VolumeHttp http = new VolumeHttp(server, sweeper, events::sent);
        String own = server.getAddress().getHostString() + ":" + http.port();
        if (!taken.isEmpty()) {
            String elsewhere = taken
                    + ", so health and metrics of this evictor are elsewhere: tidemark volume status --address " + own
                    + ", or METRICS_ADDRESS=HOST:PORT";
            untold.add(() -> log.main("WARNING", elsewhere));
        }
        untold.add(() -> log.main("INFO", "Health and metrics at http://" + own));
        return Optional.of(http);
    }

    /** Says in the log where it serves, the first time it is called. */
    void tell() {
        untold.forEach(Runnable::run);
        untold.clear();
    }

    /** The error line for a {@link #serve} that failed. */
    String failure(Exception why) {
        return options.origin(VolumeSettings.HTTP) + "='" + address + "': cannot serve health and metrics there: "
                + why.getMessage() + holder();
    }

    /** Who listens where nobody else can; empty when that cannot be seen. */
    private String holder() {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return port == 0
                ? ""
                : SocketOwner.ofTcp(port)
                        .map(owner -> " (held by " + owner + ")")
                        .orElse("");
    }
}
