package dev.berth.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SimilarNamesTest {

    private static final List<String> PROFILES =
            List.of("azure-h100", "cpu", "h100-mig", "h100-static-mig", "h100x8", "l4", "l40s");

    @Test
    void namesWithThePrefixAreOrderedByDistance() {
        assertThat(SimilarNames.of("h100", PROFILES))
                .containsExactly("h100x8", "h100-mig", "h100-static-mig");
    }

    @Test
    void swappedMissingAndWrongLettersAreFound() {
        var commands = List.of("explain", "help", "image", "plan", "schedule");
        assertThat(SimilarNames.of("hlep", commands)).containsExactly("help");
        assertThat(SimilarNames.of("explian", commands)).containsExactly("explain");
        assertThat(SimilarNames.of("imge", commands)).containsExactly("image");
        assertThat(SimilarNames.of("dashboard", commands)).isEmpty();
    }

    @Test
    void suggestionsAreLimitedToThree() {
        assertThat(SimilarNames.question("h100", PROFILES))
                .contains("did you mean h100x8, h100-mig or h100-static-mig?");
        assertThat(SimilarNames.question("l40", PROFILES)).contains("did you mean l4 or l40s?");
        assertThat(SimilarNames.question("gaudi", PROFILES)).isEmpty();
    }
}
