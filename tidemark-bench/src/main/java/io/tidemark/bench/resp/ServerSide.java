package io.tidemark.bench.resp;

import io.tidemark.bench.harness.Side;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One server under the clients of a cell; measures value bytes a second in GB (1e9). A put measures fresh keys into a
 * server that was emptied before the clock started; a get measures keys that are there.
 */
final class ServerSide implements Side, AutoCloseable {
    private final String name;
    private final boolean raw;
    private final Cell cell;
    private final List<Exchange> clients = new ArrayList<>();
    private final ExecutorService threads;
    private final Exchange control;

    ServerSide(String name, boolean raw, Endpoint endpoint, Cell cell, Values values) throws IOException {
        this.name = name;
        this.raw = raw;
        this.cell = cell;
        this.threads = Executors.newFixedThreadPool(cell.clients());
        this.control = new Exchange(endpoint, new Cell(true, cell.valueBytes(), 1, 1), values);
        for (int i = 0; i < cell.clients(); i++) {
            Exchange client = new Exchange(endpoint, cell, values);
            clients.add(client);
            if (raw) {
                client.sayShape();
            }
        }
        if (!raw) {
            fill();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double measure() throws Exception {
        if (cell.put() && !raw) {
            empty();
        }
        long start = System.nanoTime();
        List<Future<?>> shares = new ArrayList<>();
        for (int i = 0; i < cell.clients(); i++) {
            Exchange client = clients.get(i);
            long firstKey = firstKey(i);
            shares.add(threads.submit(() -> {
                client.run(firstKey);
                return null;
            }));
        }
        for (Future<?> share : shares) {
            share.get();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        check();
        return cell.values() * (double) cell.valueBytes() / seconds / 1e9;
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (Exchange client : clients) {
            client.close();
        }
        control.close();
    }

    private long firstKey(int client) {
        return (long) client * cell.exchanges() * cell.batch();
    }

    private void check() throws IOException {
        for (int i = 0; !cell.put() && !raw && i < cell.clients(); i++) {
            long last = firstKey(i) + (long) cell.exchanges() * cell.batch() - 1;
            if (!clients.get(i).holds(last)) {
                throw new IOException(name + " gave wrong bytes for key " + last);
            }
        }
    }

    private void fill() throws IOException {
        empty();
        for (int key = 0; !cell.put() && key < cell.values(); key++) {
            control.put(key);
        }
    }

    private void empty() throws IOException {
        Reply reply = control.call("FLUSHALL");
        if (!(reply instanceof Reply.Status)) {
            throw new IOException(name + " did not empty itself: " + reply);
        }
    }
}
