package io.tidemark.server.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "*,anything,true",
        "*,'',true",
        "'','',true",
        "'',a,false",
        "h?llo,hello,true",
        "h?llo,hllo,false",
        "h*llo,heeeello,true",
        "h[ae]llo,hallo,true",
        "h[ae]llo,hillo,false",
        "h[^e]llo,hallo,true",
        "h[^e]llo,hello,false",
        "h[a-b]llo,hbllo,true",
        "h[b-a]llo,hallo,true",
        "h[a-b]llo,hcllo,false",
        "h\\*llo,h*llo,true",
        "h\\*llo,hxllo,false",
        "a*b*c,aXXbYYc,true",
        "a*b*c,aXXbYY,false",
        "*[0-9],key7,true",
        "[a,a,true",
        "a\\,a\\,true"
    })
    void matchesAsRedisDoes(String pattern, String text, boolean expected) {
        assertThat(new Glob(pattern.getBytes(ISO_8859_1)).matches(text.getBytes(ISO_8859_1)))
                .isEqualTo(expected);
    }

    @Test
    void staysFastOnPatternsOfManyStars() {
        byte[] pattern = "*a".repeat(200).concat("b").getBytes(ISO_8859_1);
        byte[] text = "a".repeat(20_000).getBytes(ISO_8859_1);
        assertThat(new Glob(pattern).matches(text)).isFalse();
    }
}
