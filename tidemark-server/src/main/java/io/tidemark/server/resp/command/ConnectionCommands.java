package io.tidemark.server.resp.command;

import static io.tidemark.server.resp.command.Flag.FAST;
import static io.tidemark.server.resp.command.Flag.LOADING;
import static io.tidemark.server.resp.command.Flag.NO_AUTH;
import static io.tidemark.server.resp.command.Flag.STALE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.server.resp.protocol.Numbers;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/** PING, ECHO, AUTH, HELLO, SELECT, RESET, QUIT. */
final class ConnectionCommands {
    private static final String USER = "default";

    private ConnectionCommands() {}

    static void addTo(CommandTable table) {
        Set<Flag> open = Set.of(FAST, LOADING, STALE, NO_AUTH);
        Set<Flag> closed = Set.of(FAST, LOADING, STALE);
        KeyPositions none = KeyPositions.NONE;
        table.add("ping", -1, closed, none, "Answers PONG, or what it was given.", ConnectionCommands::ping);
        table.add("echo", 2, closed, none, "Answers what it was given.", ConnectionCommands::echo);
        table.add("auth", -2, open, none, "Gives the password.", ConnectionCommands::auth);
        table.add("hello", -1, open, none, "Chooses the protocol version.", ConnectionCommands::hello);
        table.add("select", 2, closed, none, "Chooses the database; there is one, 0.", ConnectionCommands::select);
        table.add("reset", 1, open, none, "Sets the connection back.", ConnectionCommands::reset);
        table.add("quit", -1, open, none, "Closes the connection.", ConnectionCommands::quit);
    }

    private static void ping(Call call) {
        switch (call.count()) {
            case 1 -> call.reply().simple("PONG");
            case 2 -> call.reply().bulk(call.argument(1));
            default -> throw ReplyError.wrongArguments("ping");
        }
    }

    private static void echo(Call call) {
        call.reply().bulk(call.argument(1));
    }

    private static void auth(Call call) {
        if (call.count() > 3) {
            throw ReplyError.syntax();
        }
        if (call.count() == 2 && call.client().password().isEmpty()) {
            throw new ReplyError("ERR AUTH <password> called without any password configured for the default user."
                    + " Are you sure your configuration is correct?");
        }
        authenticate(call, call.count() == 3 ? call.text(1) : USER, call.argument(call.count() - 1));
        call.reply().simple("OK");
    }

    private static void authenticate(Call call, String user, byte[] given) {
        Optional<String> password = call.client().password();
        boolean right =
                password.isEmpty() || MessageDigest.isEqual(password.get().getBytes(UTF_8), given);
        if (!user.equals(USER) || !right) {
            throw wrongPassword();
        }
        call.client().authenticate();
    }

    private static ReplyError wrongPassword() {
        return new ReplyError("WRONGPASS invalid username-password pair or user is disabled.");
    }

    private static void hello(Call call) {
        int version = call.count() > 1 ? protocolVersion(call) : call.reply().version();
        Optional<String> name = Optional.empty();
        for (int i = 2; i < call.count(); i++) {
            int left = call.count() - i - 1;
            if (call.word(i).equals("AUTH") && left >= 2) {
                authenticate(call, call.text(i + 1), call.argument(i + 2));
                i += 2;
            } else if (call.word(i).equals("SETNAME") && left >= 1) {
                name = Optional.of(ClientCommands.checkedName(call.text(i + 1), "Client names"));
                i++;
            } else {
                throw new ReplyError("ERR Syntax error in HELLO option '" + call.text(i) + "'");
            }
        }
        if (!call.client().authenticated()) {
            throw new ReplyError("NOAUTH HELLO must be called with the client already authenticated, otherwise the"
                    + " HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the"
                    + " RESP protocol version at the same time");
        }
        name.ifPresent(call.client()::name);
        call.reply().version(version);
        call.client().speaks(version);
        replyHello(call, version);
    }

    private static int protocolVersion(Call call) {
        long version = Numbers.parse(call.argument(1));
        if (version == Numbers.NOT_A_NUMBER) {
            throw new ReplyError("ERR Protocol version is not an integer or out of range");
        }
        if (version < 2 || version > 3) {
            throw new ReplyError("NOPROTO unsupported protocol version");
        }
        return (int) version;
    }

    private static void replyHello(Call call, int version) {
        call.reply().map(7);
        call.reply().bulk("server");
        call.reply().bulk("tidemark");
        call.reply().bulk("version");
        call.reply().bulk(ServerFacts.REDIS_VERSION);
        call.reply().bulk("proto");
        call.reply().integer(version);
        call.reply().bulk("id");
        call.reply().integer(call.client().id());
        call.reply().bulk("mode");
        call.reply().bulk("standalone");
        call.reply().bulk("role");
        call.reply().bulk("master");
        call.reply().bulk("modules");
        call.reply().array(0);
    }

    private static void select(Call call) {
        if (call.integer(1) != 0) {
            throw new ReplyError("ERR DB index is out of range");
        }
        call.reply().simple("OK");
    }

    private static void reset(Call call) {
        call.client().reset();
        call.reply().version(2);
        call.reply().simple("RESET");
    }

    private static void quit(Call call) {
        call.close();
        call.reply().simple("OK");
    }
}
