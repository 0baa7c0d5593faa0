package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.model.quantity.Semver;
import java.nio.charset.StandardCharsets;

/// Any two words are versions with a consistent order, or rejected.
public final class SemverFuzz {

    private SemverFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var words = new String(input, StandardCharsets.UTF_8).split(" ", 2);
        var a = parsed(words[0]);
        var b = parsed(words[words.length - 1]);
        assertThat(Semver.parse(a.toString())).isEqualTo(a).hasToString(a.toString());
        assertThat(Semver.parseTolerantly(a.toString())).isEqualTo(a);
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
        if (a.equals(b)) {
            assertThat(a).hasSameHashCodeAs(b);
        }
    }

    /// Parses a version, tolerantly if strict parsing fails.
    private static Semver parsed(String text) {
        var strict = Semver.tryParse(text);
        if (strict.isPresent()) {
            assertThat(Semver.isWellFormed(text)).isTrue();
            return strict.get();
        }
        assertThat(catchThrowable(() -> Semver.parse(text)))
                .isInstanceOf(IllegalArgumentException.class);
        try {
            return Semver.parseTolerantly(text);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageMatching("(?s).+");
            return Semver.parse("0.0.0");
        }
    }
}
