package io.tidemark.server.resp.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.BlockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChainOrderTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 63, 64, 65, 128, 1_000, 4_096, 100_000})
    void aStepIsShortAndTheEndComesFirst(int length) {
        List<BlockKey> chain = IntStream.range(0, length)
                .mapToObj(i -> BlockKey.of("key-" + i))
                .toList();
        List<BlockKey> ordered = new ArrayList<>();
        ChainOrder order = new ChainOrder(
                part -> {
                    assertThat(part).hasSizeLessThanOrEqualTo(ChainOrder.KEYS_PER_STEP);
                    ordered.addAll(part.reversed());
                },
                chain);
        boolean more = true;
        while (more) {
            more = order.step();
        }
        int told = Math.min(length, ChainOrder.MOST);
        assertThat(ordered)
                .isEqualTo(chain.subList(0, told).reversed().subList(0, ordered.size()))
                .hasSizeGreaterThanOrEqualTo(told - 1);
    }
}
