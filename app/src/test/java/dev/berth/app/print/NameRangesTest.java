package dev.berth.app.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NameRangesTest {

    @Test
    void namesThatDifferInTheLastNumberAreOneRange() {
        assertThat(NameRanges.of(List.of("h100-0", "h100-1", "h100-2", "h100-4")))
                .isEqualTo("h100-[0-2,4]");
        assertThat(NameRanges.of(List.of("rack-1.example", "rack-2.example")))
                .isEqualTo("rack-[1-2].example");
    }

    @Test
    void numbersAreSortedAsNumbers() {
        assertThat(NameRanges.of(List.of("n10", "n2", "n9", "n1"))).isEqualTo("n[1-2,9-10]");
    }

    @Test
    void leadingZerosAreKept() {
        assertThat(NameRanges.of(List.of("n00", "n01", "n02"))).isEqualTo("n[00-02]");
        assertThat(NameRanges.of(List.of("n1", "n01"))).isEqualTo("n1, n01");
    }

    @Test
    void otherNamesStay() {
        assertThat(NameRanges.of(List.of("control", "gpu-7", "other")))
                .isEqualTo("control, gpu-7, other");
    }
}
