package dev.berth.app.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LiveScreenTest {

    @Test
    void onlyChangedLinesAreWritten() {
        assertThat(LiveScreen.changes(List.of("a", "b", "c"), List.of("a", "x", "c")))
                .isEqualTo("\u001b[2;1Hx\u001b[K");
    }

    @Test
    void linesThatAreGoneAreCleared() {
        assertThat(LiveScreen.changes(List.of("a", "b"), List.of("a")))
                .isEqualTo("\u001b[2;1H\u001b[K");
    }

    @Test
    void nothingIsWrittenWithoutChanges() {
        assertThat(LiveScreen.changes(List.of("a"), List.of("a"))).isEmpty();
    }
}
