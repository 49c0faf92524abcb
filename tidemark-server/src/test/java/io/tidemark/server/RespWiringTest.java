package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RespWiringTest {
    @ParameterizedTest
    @CsvSource({"none,noeviction", "lru+np,allkeys-lru", "lru,allkeys-lru", "lfu,allkeys-lfu", "tide,allkeys-lru"})
    void anOrderHasTheNearestWordOfRedis(String policy, String word) {
        assertThat(RespWiring.redisWord(policy)).isEqualTo(word);
    }
}
