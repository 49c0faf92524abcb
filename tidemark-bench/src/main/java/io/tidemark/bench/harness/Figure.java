package io.tidemark.bench.harness;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers for people: three significant digits, no exponent. */
final class Figure {
    private static final MathContext DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);

    private Figure() {}

    static String of(double value) {
        return Double.isFinite(value) ? new BigDecimal(value).round(DIGITS).toPlainString() : Double.toString(value);
    }
}
