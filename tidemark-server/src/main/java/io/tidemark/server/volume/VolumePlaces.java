package io.tidemark.server.volume;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks places that settings name against the machine, before anything starts: what is mistyped is not worked around.
 * What may be there later (the mount), or is refused for the moment (a port in use, a log file without permission), is
 * left to those who use it.
 */
final class VolumePlaces {
    private VolumePlaces() {}

    /**
     * Checks all of them.
     *
     * @throws VolumeSettingException names setting, value and what is expected
     */
    static void check(VolumeOptions options) {
        mount(options);
        logFile(options);
        String address = options.get(VolumeSettings.HTTP);
        if (!address.isEmpty()) {
            host(address, options.get(VolumeSettings.HTTP_OPEN), options.origin(VolumeSettings.HTTP));
        }
    }

    private static void mount(VolumeOptions options) {
        Path mount = Path.of(options.get(VolumeSettings.MOUNT));
        if (Files.exists(mount) && !Files.isDirectory(mount)) {
            throw refused(options, VolumeSettings.MOUNT, "a folder where the volume is mounted; this is none");
        }
    }

    private static void logFile(VolumeOptions options) {
        String name = options.get(VolumeSettings.LOG_FILE);
        if (name.isEmpty()) {
            return;
        }
        Path file = Path.of(name).toAbsolutePath();
        if (Files.isDirectory(file)) {
            throw refused(options, VolumeSettings.LOG_FILE, "a file; this is a folder");
        }
        Path folder = file.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw refused(options, VolumeSettings.LOG_FILE, "a file in a folder that exists; there is no " + folder);
        }
    }

    private static VolumeSettingException refused(
            VolumeOptions options, VolumeSetting<String> setting, String expected) {
        return new VolumeSettingException(
                options.origin(setting) + "='" + options.get(setting) + "': expected " + expected);
    }

    /**
     * The host of an address.
     *
     * @param address {@code HOST:PORT}
     * @param open whether an address beyond loopback is meant
     * @param origin where the address stands, for the message
     * @throws VolumeSettingException when there is no such host, or it is open to others without being meant
     */
    static InetAddress host(String address, boolean open, String origin) {
        String name = address.substring(0, address.lastIndexOf(':')).replaceAll("^\\[|]$", "");
        InetAddress host;
        try {
            host = InetAddress.getAllByName(name)[0];
        } catch (UnknownHostException _) {
            throw new VolumeSettingException(
                    origin + "='" + address + "': expected HOST:PORT with a host that is known here");
        }
        if (!host.isLoopbackAddress() && !open) {
            throw new VolumeSettingException(origin + "='" + address
                    + "': expected a loopback address, or METRICS_OPEN=true to answer everyone who reaches it");
        }
        return host;
    }
}
