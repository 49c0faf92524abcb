package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RecordKeyTest {
    @Test
    void every_key_part_and_life_is_read_back_and_recorded_in_its_own_way() {
        BlockKey key = BlockKey.of(new byte[] {2, 0, 1, -1});
        RecordKey plain = new RecordKey(key, OptionalLong.empty());
        RecordKey second = new RecordKey(key.part(1), OptionalLong.empty());
        RecordKey dying = new RecordKey(key, OptionalLong.of(-7));
        for (RecordKey record : new RecordKey[] {plain, second, dying}) {
            assertThat(RecordKey.parse(record.bytes())).isEqualTo(record);
        }
        assertThat(plain.bytes()).isNotEqualTo(second.bytes()).isNotEqualTo(dying.bytes());
    }
}
