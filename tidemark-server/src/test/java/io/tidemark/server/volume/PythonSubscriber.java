package io.tidemark.server.volume;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;

/** A subscriber of delete events in Python, which prints a line a message: topic, number, kind, medium, hashes. */
final class PythonSubscriber implements AutoCloseable {
    private static final String SCRIPT = """
            import sys, struct, zmq, msgpack
            s = zmq.Context().socket(zmq.SUB)
            s.setsockopt(zmq.SUBSCRIBE, sys.argv[2].encode())
            s.connect(sys.argv[1])
            s.RCVTIMEO = 60000
            print("ready", flush=True)
            while True:
                topic, seq, payload = s.recv_multipart()
                ts, events = msgpack.unpackb(payload)
                kind, hashes, medium = msgpack.unpackb(events[0])
                print(topic.decode(), struct.unpack(">Q", seq)[0], kind, medium,
                      " ".join("%016x" % h for h in hashes), flush=True)
            """;

    final BufferedReader lines;
    private final Process process;

    private PythonSubscriber(Process process) {
        this.process = process;
        this.lines = process.inputReader();
    }

    /** Connects, now or when somebody binds it. */
    static PythonSubscriber of(String endpoint, String topics) throws IOException, InterruptedException {
        assumeTrue(
                VolumeProcessTest.ran("python3", "-c", "import zmq, msgpack"), "needs python3 with pyzmq and msgpack");
        PythonSubscriber made = new PythonSubscriber(new ProcessBuilder("python3", "-c", SCRIPT, endpoint, topics)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        if (!"ready".equals(made.lines.readLine())) {
            made.close();
            throw new IOException("the subscriber ended");
        }
        return made;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
