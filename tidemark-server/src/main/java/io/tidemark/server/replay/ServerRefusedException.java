package io.tidemark.server.replay;

import java.io.IOException;

/** The server answered a command with an error that the caller cannot go on from; the stream is still in step. */
public final class ServerRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * A refusal of what was asked.
     *
     * @param asked what it was, for the message
     */
    public ServerRefusedException(String asked, Reply got) {
        super("the server answered " + asked + " with " + describe(got));
        code = got instanceof Reply.Failure failure ? failure.code() : "";
    }

    /** The first word of the error, as {@code TRYAGAIN}; empty when the answer was none. */
    String code() {
        return code;
    }

    private static String describe(Reply got) {
        return switch (got) {
            case Reply.Failure failure -> "-" + failure.text();
            case Reply.Status status -> "+" + status.text();
            case Reply.Int number -> ":" + number.value();
            case Reply.Bulk bulk -> "a value of " + bulk.text().length() + " characters";
            case Reply.Nil _ -> "nil";
            case Reply.Many many -> "an array of " + many.elements().size();
        };
    }
}
