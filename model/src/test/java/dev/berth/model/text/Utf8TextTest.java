package dev.berth.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Utf8TextTest {

    @Test
    void aTextWithinTheLimitIsUnchanged() {
        assertThat(Utf8Text.cut("größer", 8)).isEqualTo("größer");
    }

    @Test
    void aLongTextEndsWithAnEllipsisWithinTheLimit() {
        assertThat(Utf8Text.cut("größeres Gerät", 9)).isEqualTo("größ…").hasSize(5);
        assertThat(Utf8Text.bytes(Utf8Text.cut("größeres Gerät", 9))).isEqualTo(9);
    }

    @Test
    void aCharacterOfFourBytesIsNotSplit() {
        assertThat(Utf8Text.cut("a\uD83D\uDE80\uD83D\uDE80", 7)).isEqualTo("a…");
        assertThat(Utf8Text.cut("a\uD83D\uDE80\uD83D\uDE80", 8)).isEqualTo("a\uD83D\uDE80…");
    }
}
