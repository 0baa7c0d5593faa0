package dev.berth.app.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTextTest {

    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 7, 8, '\r', 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x061c, 0x200e, 0x200f,
                0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
                0x2069, 0xd800, 0xdfff
            })
    void unsafeCharactersAreEscaped(int c) {
        assertThat(TerminalText.escape("a" + (char) c + "b")).isEqualTo("a\\u%04xb".formatted(c));
        assertThat(TerminalText.escapeLine("" + (char) c)).isEqualTo("\\u%04x".formatted(c));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "plain", "└─ Gerät 設備", "a\\u001bb", "\u00a0", "\u202f", "\ud83d\ude80"})
    void otherTextStays(String text) {
        assertThat(TerminalText.escape(text)).isSameAs(text);
        assertThat(TerminalText.escapeLine(text)).isSameAs(text);
    }

    @Test
    void lineFeedsAndTabsStayInTextOfSeveralLines() {
        assertThat(TerminalText.escape("a\n\tb\r\n")).isEqualTo("a\n\tb\\u000d\n");
        assertThat(TerminalText.escapeLine("a\n\tb")).isEqualTo("a\\u000a\\u0009b");
    }

    @Test
    void aWriterEscapesEverythingThatIsPrinted() {
        var text = new StringWriter();
        var out = TerminalWriter.over(new PrintWriter(text));
        out.print('\u001b');
        out.print("a\u001b[2J".toCharArray());
        out.printf("%s%n", "\u202e");
        out.write("\u009b");
        out.write('\u0007');
        out.append("\u2028").append('\u2069').println("\u001b");
        out.flush();
        assertThat(text)
                .hasToString("\\u001ba\\u001b[2J\\u202e\n\\u009b\\u0007\\u2028\\u2069\\u001b\n");
    }

    @Test
    void aWriterPassesControlSequencesOfOurOwnOnly() {
        var text = new StringWriter();
        var out = TerminalWriter.over(new PrintWriter(text));
        TerminalWriter.printStyled(out, "\u001b[31mred\u001b[0m");
        out.print("\u001b[31m");
        out.flush();
        assertThat(text).hasToString("\u001b[31mred\u001b[0m\\u001b[31m");
    }

    @Test
    void aWriterJoinsSurrogatePairsOfTwoWrites() {
        var text = new StringWriter();
        var out = TerminalWriter.over(new PrintWriter(text));
        out.write(0xd83d);
        out.write(0xde80);
        out.write(0xde80);
        out.write(0xd83d);
        out.close();
        assertThat(text).hasToString("\ud83d\ude80\\ude80\\ud83d");
    }
}
