package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger ledger = new Ledger(100);

    @Test
    void startsUntouched() {
        assertThat(ledger.snapshot()).isEqualTo(new Ledger.Snapshot(100, 100, 0, 0, 0, 0));
        assertThat(ledger.reserve(1)).isFalse();
    }

    @Test
    void bytesGoThroughTheStatesInOrder() {
        ledger.touched(80);
        assertThat(ledger.reserve(50)).isTrue();
        assertThat(ledger.snapshot()).isEqualTo(new Ledger.Snapshot(100, 20, 30, 50, 0, 0));
        ledger.committed(30);
        ledger.aborted(20);
        assertThat(ledger.snapshot()).isEqualTo(new Ledger.Snapshot(100, 20, 50, 0, 30, 0));
        ledger.doomed(10);
        assertThat(ledger.usedBytes()).isEqualTo(30);
        ledger.freed(10);
        assertThat(ledger.snapshot()).isEqualTo(new Ledger.Snapshot(100, 20, 60, 0, 20, 0));
        assertThat(ledger.snapshot().used()).isEqualTo(20);
    }

    @Test
    void aReserveBeyondTheFreeBytesChangesNothing() {
        ledger.touched(10);
        assertThat(ledger.reserve(11)).isFalse();
        assertThat(ledger.freeBytes()).isEqualTo(10);
        assertThat(ledger.reserve(10)).isTrue();
    }

    @Test
    void g111_noStateEverBecomesNegative() {
        assertThatThrownBy(() -> ledger.committed(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ledger.freed(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ledger.touched(101)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ledger.touched(-1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new Ledger(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void g37_countsBeyondAnInt() {
        long capacity = 4L << 40;
        Ledger large = new Ledger(capacity);
        large.touched(capacity);
        assertThat(large.reserve(3L << 40)).isTrue();
        assertThat(large.reserve(2L << 40)).isFalse();
        assertThat(large.freeBytes()).isEqualTo(1L << 40);
    }
}
