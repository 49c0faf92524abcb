package io.tidemark.server.resp.command;

import java.util.Optional;

/**
 * What commands know of the connection they came over. Written by its event loop only; CLIENT LIST reads it from
 * others, hence the volatile fields.
 */
public final class Client {
    private final long id;
    private final String address;
    private final String localAddress;
    private final long bornMillis;
    private final Optional<String> password;
    private final boolean paddedMisses;
    private volatile String name = "";
    private volatile String libraryName = "";
    private volatile String libraryVersion = "";
    private volatile String lastCommand = "NULL";
    private volatile long lastActiveMillis;
    private volatile int protocolVersion = 2;
    private boolean authenticated;

    /**
     * A client that has just connected.
     *
     * @param address of the peer, {@code host:port} or {@code path:0}
     * @param bornMillis monotonic milliseconds
     * @param password what AUTH has to give; empty lets everyone in
     * @param paddedMisses whether a GET miss is padded for LMCache's native client
     */
    public Client(
            long id,
            String address,
            String localAddress,
            long bornMillis,
            Optional<String> password,
            boolean paddedMisses) {
        this.id = id;
        this.address = address;
        this.localAddress = localAddress;
        this.bornMillis = bornMillis;
        this.lastActiveMillis = bornMillis;
        this.password = password;
        this.paddedMisses = paddedMisses;
        this.authenticated = password.isEmpty();
    }

    /** Number of the connection, unique in the process. */
    public long id() {
        return id;
    }

    /** Whether commands are accepted. */
    public boolean authenticated() {
        return authenticated;
    }

    Optional<String> password() {
        return password;
    }

    boolean paddedMisses() {
        return paddedMisses;
    }

    void authenticate() {
        authenticated = true;
    }

    String name() {
        return name;
    }

    void name(String text) {
        name = text;
    }

    void library(String libName) {
        libraryName = libName;
    }

    void libraryVersion(String version) {
        libraryVersion = version;
    }

    void began(String command, long nowMillis) {
        lastCommand = command;
        lastActiveMillis = nowMillis;
    }

    void speaks(int version) {
        protocolVersion = version;
    }

    /** Back to how it was when it connected. */
    void reset() {
        authenticated = password.isEmpty();
        name = "";
        protocolVersion = 2;
    }

    /** One line of CLIENT LIST. */
    String describe(long nowMillis) {
        return "id=" + id + " addr=" + address + " laddr=" + localAddress + " fd=-1 name=" + name + " age="
                + (nowMillis - bornMillis) / 1000 + " idle=" + (nowMillis - lastActiveMillis) / 1000
                + " flags=N db=0 sub=0 psub=0 ssub=0 multi=-1 cmd=" + lastCommand + " user=default redir=-1 resp="
                + protocolVersion + " lib-name=" + libraryName + " lib-ver=" + libraryVersion;
    }
}
