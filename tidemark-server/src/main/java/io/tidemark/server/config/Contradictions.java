package io.tidemark.server.config;

import java.util.Arrays;
import java.util.List;

/** What is found when settings are compared with each other; nothing follows from a value that was not understood. */
record Contradictions(Effective effective, List<String> problems) {
    /**
     * Tells what is wrong with a setting.
     *
     * @param others what it was compared with
     */
    void add(Setting<?> setting, String text, Setting<?>... others) {
        add(effective.given(setting).origin(), setting, text, others);
    }

    /** As above, with the place that it is told for: that of another setting, where this one was not given. */
    void add(Origin at, Setting<?> setting, String text, Setting<?>... others) {
        if (!effective.isWrong(setting) && Arrays.stream(others).noneMatch(effective::isWrong)) {
            add(at, setting.key() + ": " + text);
        }
    }

    /** Tells what is wrong at a place. */
    void add(Origin at, String text) {
        problems.add(at + ": " + text);
    }
}
