package io.tidemark.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeSys;
import org.junit.jupiter.api.Test;

/** Hints of a TM.PUT whose block is there already, as every engine sends for a shared prefix. */
class HintsAgainTest extends OneClientTest {
    private static final String FREED = "*2\r\n$5\r\nFREED\r\n:4096\r\n";

    @Override
    ServerUnderTest.Builder setUp() {
        return ServerUnderTest.with().ssd(NativeSys.INSTANCE);
    }

    @Test
    void aTailThatIsPutAgainAsOneStaysOneAndIsNotDemoted() throws Exception {
        assertThat(client.call("TM.PUT", "k", "v", "TAIL")).isEqualTo("+STORED\r\n");
        assertThat(client.call("TM.PUT", "k", "v", "TAIL")).isEqualTo("+EXISTS\r\n");
        assertThat(client.call("TM.EVICT", "k")).isEqualTo(FREED);
    }

    @Test
    void aTailThatIsPutAgainAsAWholeBlockIsWorthKeeping() throws Exception {
        client.call("TM.PUT", "k", "v", "TAIL");
        assertThat(client.call("TM.PUT", "k", "v")).isEqualTo("+EXISTS\r\n");
        assertThat(client.call("TM.EVICT", "k")).startsWith("*2\r\n$15\r\nDEMOTION_QUEUED");
    }

    @Test
    void commandsThatStoreNothingChangeNothing() throws Exception {
        client.call("TM.PUT", "k", "v", "TAIL");
        assertThat(client.call("SETNX", "k", "w")).isEqualTo(":0\r\n");
        assertThat(client.call("SET", "k", "w", "NX")).isEqualTo("$-1\r\n");
        assertThat(client.call("TM.EVICT", "k")).isEqualTo(FREED);
    }
}
