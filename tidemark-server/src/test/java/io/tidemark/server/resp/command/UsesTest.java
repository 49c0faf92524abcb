package io.tidemark.server.resp.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.Clocks;
import io.tidemark.server.record.BlockUse;
import io.tidemark.server.record.UseListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsesTest {
    @Test
    void whileNobodyListensAllCommandsShareOneObject() {
        Uses silent = Uses.of(UseListener.NONE, Clocks.system(), 1);
        silent.touched(BlockKey.of("key"));
        assertThat(Uses.of(UseListener.NONE, Clocks.system(), 2)).isSameAs(silent);
    }

    @Test
    void theUsesOfACommandAreJoinedFromTheSecondOn() {
        List<BlockUse> heard = new ArrayList<>();
        UseListener listener = new UseListener() {
            @Override
            public boolean listens() {
                return true;
            }

            @Override
            public void used(BlockUse use) {
                heard.add(use);
            }
        };
        for (int command = 0; command < 2; command++) {
            Uses uses = Uses.of(listener, Clocks.system(), 1);
            uses.touched(BlockKey.of("first"));
            uses.touched(BlockKey.of("second"));
        }
        assertThat(heard).extracting(BlockUse::joined).containsExactly(false, true, false, true);
    }
}
