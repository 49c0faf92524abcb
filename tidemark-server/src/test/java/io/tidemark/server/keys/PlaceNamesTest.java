package io.tidemark.server.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SysException;
import io.tidemark.core.pool.Marks;
import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.TierConfig;
import io.tidemark.core.pool.TierMember;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlaceNamesTest {
    private static TierMember member(String name) throws SysException {
        return new TierMember(DramMedium.open(NativeSys.INSTANCE, DramOptions.of(name, 1 << 20)), 1);
    }

    @Test
    void g21_namesThatDifferInCaseOnlyAreToldApartOrAskedFor() throws Exception {
        PoolConfig pool = PoolConfig.of(
                TierConfig.of("fast", Marks.DEFAULT, member("m0"), member("M0")).offloadingTo("slow"),
                TierConfig.of("slow", Marks.DEFAULT, member("m1")));
        assertThat(PlaceNames.of(pool, Optional.of("FAST"), Optional.of("M0")))
                .isEqualTo(new PlaceNames(Optional.of("fast"), Optional.of("M0")));
        assertThat(PlaceNames.of(pool, Optional.empty(), Optional.of("m0")).backend())
                .contains("m0");
        assertThat(PlaceNames.of(pool, Optional.of(" Slow"), Optional.of(" M1 ")))
                .isEqualTo(new PlaceNames(Optional.of("slow"), Optional.of("m1")));
        assertThatThrownBy(() -> PlaceNames.of(pool, Optional.empty(), Optional.of("m0 ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("which backend is 'm0 '? There are m0 and M0; write it as it is");
        assertThatThrownBy(() -> PlaceNames.of(pool, Optional.of("f"), Optional.empty()))
                .hasMessage("no tier 'f'; expected one of fast, slow");
    }
}
