package io.tidemark.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerInfoTest {
    @Test
    void readsWhatAServerTellsAndTakesTheRestAsNone() {
        ServerInfo info = ServerInfo.parse(
                "# Stats\r\nevicted_keys:12\r\ndropped_only_copies:3\r\ntier_hits_dram:7\r\ntier_hits_ssd:2\r\n");
        assertThat(info).isEqualTo(new ServerInfo(12, 3, Map.of("dram", 7L, "ssd", 2L)));
        assertThat(ServerInfo.parse("# Server\r\nredis_version:7\r\n")).isEqualTo(new ServerInfo(0, 0, Map.of()));
    }

    @Test
    void tellsWhatHappenedSinceAnEarlierLook() {
        ServerInfo before = new ServerInfo(10, 1, Map.of("dram", 5L));
        ServerInfo now = new ServerInfo(12, 1, Map.of("dram", 9L, "ssd", 2L));
        assertThat(now.since(before)).isEqualTo(new ServerInfo(2, 0, Map.of("dram", 4L, "ssd", 2L)));
    }
}
