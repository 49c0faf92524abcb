package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.Pool;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands that arrive at once share the heap for their arguments; small ones never depend on it. */
class ArgumentSpaceTest {
    private static final int KEY_BYTES = 50_000;

    private final ArgumentSpace space = new ArgumentSpace(200_000);
    private Pool pool;

    @BeforeEach
    void open() throws Exception {
        DramMedium dram = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", 1 << 20));
        pool = Pool.open(PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(dram, 1))));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Assembly assembly(int id) {
        Client client = new Client(id, "a:1", "b:2", 0, Optional.empty(), false);
        return new Assembly(pool.session("s" + id), client, space, 1 << 20);
    }

    /** Gives an assembly the beginning of a DEL with so many keys; no byte of them comes. */
    private static void begin(Assembly assembly, int keys) {
        place(assembly, 0, "DEL".getBytes(ISO_8859_1), keys + 1);
        for (int i = 1; i <= keys; i++) {
            place(assembly, i, new byte[KEY_BYTES], keys + 1);
        }
    }

    private static void place(Assembly assembly, int index, byte[] bytes, int count) {
        assertThat(assembly.place(index, bytes.length, count)).isInstanceOf(Placement.Into.class);
    }

    @Test
    void what_all_commands_hold_together_is_bounded_and_comes_back() {
        Assembly first = assembly(1);
        begin(first, 3);
        assertThat(first.refusal()).isEmpty();
        Assembly second = assembly(2);
        begin(second, 3);
        assertThat(second.refusal())
                .map(ReplyError::reply)
                .hasValueSatisfying(reply -> assertThat(reply).startsWith("OOM arguments of all clients"));
        assertThat(space.usedBytes()).isBetween(3L * KEY_BYTES, 200_000L);
        second.clear();
        first.clear();
        assertThat(space.usedBytes()).isZero();
        begin(second, 3);
        assertThat(second.refusal()).isEmpty();
    }

    @Test
    void a_small_command_needs_none_of_it() {
        assertThat(space.take(200_000)).isTrue();
        Assembly small = assembly(3);
        place(small, 0, "DEL".getBytes(ISO_8859_1), 2);
        place(small, 1, new byte[1_000], 2);
        assertThat(small.refusal()).isEmpty();
    }

    @Test
    void a_refused_command_lists_few_of_its_arguments() {
        Assembly many = assembly(4);
        place(many, 0, "DEL".getBytes(ISO_8859_1), 1 << 20);
        for (int i = 1; i < 100_000; i++) {
            place(many, i, new byte[0], 1 << 20);
        }
        assertThat(many.refusal()).isPresent();
        assertThat(many.arguments().size()).isLessThan(10_000);
    }
}
