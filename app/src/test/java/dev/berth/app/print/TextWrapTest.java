package dev.berth.app.print;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextWrapTest {

    @Test
    void linesBreakAtSpacesOnly() {
        assertThat(TextWrap.lines("data in ~/.local/share/berth of h100x8=2,a100-mig=1", 20))
                .containsExactly("data in", "~/.local/share/berth", "of", "h100x8=2,a100-mig=1");
        assertThat(TextWrap.lines("one two three", 7, "  ")).containsExactly("one two", "  three");
        assertThat(TextWrap.lines("", 7)).containsExactly("");
    }

    @Test
    void namesAreShortenedInTheirMiddle() {
        assertThat(TextWrap.shortened("default/vllm-qvp5c6h249-p687q-gpu-fhw26", 20))
                .isEqualTo("default/vl…gpu-fhw26")
                .hasSize(20);
        assertThat(TextWrap.shortened("default/a", 20)).isEqualTo("default/a");
    }

    @Test
    void tablesWrapTheirLastColumn() {
        var table = new TextTable("NAME", "DESCRIPTION");
        table.add("a-long-name", "one two three four");
        assertThat(table.fit(24))
                .isEqualTo(
                        """
                        NAME         DESCRIPTION
                        a-long-name  one two
                                     three four
                        """);
    }

    @Test
    void widthsOfTheEnvironmentAreNumbers() {
        assertThat(Terminal.columns("120")).hasValue(120);
        assertThat(Terminal.columns("7")).isEmpty();
        assertThat(Terminal.columns("12")).hasValue(40);
        assertThat(Terminal.columns("")).isEmpty();
        assertThat(Terminal.columns("wide")).isEmpty();
    }
}
