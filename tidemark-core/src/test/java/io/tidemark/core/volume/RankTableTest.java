package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RankTableTest {
    @Test
    void aModelIsLearnedWhenItsConfigurationComesAndStaysKnownWhenThatIsGone() {
        AtomicReference<Optional<String>> configuration = new AtomicReference<>(Optional.empty());
        RankTable ranks = new RankTable(path -> configuration.get());
        byte[] path = "m_0123456789ab_r0".getBytes(StandardCharsets.US_ASCII);
        assertThat(ranks.at(path).orElseThrow().modelLabel()).isEqualTo("m_0123456789ab");
        configuration.set(Optional.of("org/m"));
        assertThat(ranks.at(path).orElseThrow().modelLabel()).isEqualTo("org/m");
        configuration.set(Optional.empty());
        assertThat(ranks.at(path).orElseThrow().model()).contains("org/m");
        assertThat(ranks.size()).isEqualTo(1);
    }
}
