package io.tidemark.core.pool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Claims of few keys by few writers at once look as if they came one by one: one writer a key. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "writer", gen = IntGen.class, conf = "1:3")
public class KeyClaimsLincheckTest {
    private final KeyClaims claims = new KeyClaims();
    private final Map<Integer, KeyClaims.Claimed> made = new ConcurrentHashMap<>();

    private KeyClaims.Claimed claimOf(int key, int writer) {
        return made.computeIfAbsent(
                key * 10 + writer, both -> new KeyClaims.Claimed(PoolHarness.key(key), Long.MAX_VALUE));
    }

    @Operation
    public boolean claim(@Param(name = "key") int key, @Param(name = "writer") int writer) {
        return claims.claim(claimOf(key, writer), 0);
    }

    @Operation
    public boolean stands(@Param(name = "key") int key, @Param(name = "writer") int writer) {
        return claims.stands(claimOf(key, writer));
    }

    @Operation
    public void release(@Param(name = "key") int key, @Param(name = "writer") int writer) {
        claims.release(claimOf(key, writer));
    }

    @Operation
    public void clear() {
        claims.clear();
    }

    @Test
    void claimsAreLinearizable() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .check(KeyClaimsLincheckTest.class);
    }
}
