package io.tidemark.server.replay;

import java.io.PrintWriter;
import java.util.List;

/** Redraws a block of lines in place on a terminal. */
final class LiveScreen {
    private final PrintWriter out;
    private int drawn;

    LiveScreen(PrintWriter out) {
        this.out = out;
    }

    /** Draws the lines over the ones drawn before. */
    void draw(List<String> lines) {
        if (drawn > 0) {
            out.print("\u001b[" + drawn + "A");
        }
        lines.forEach(line -> out.print("\r\u001b[2K" + line + "\n"));
        out.flush();
        drawn = lines.size();
    }

    /** Takes away what was drawn. */
    void clear() {
        if (drawn > 0) {
            out.print("\u001b[" + drawn + "A\u001b[J");
            out.flush();
            drawn = 0;
        }
    }
}
