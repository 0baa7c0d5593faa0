package dev.berth.core.testkit.verify;

import java.util.ArrayList;
import java.util.List;

/// Collects violated rules.
final class RuleViolations {

    private final List<String> texts = new ArrayList<>();

    /// Records a violation unless the rule holds.
    // The annotation that checks formats is in none of our dependencies.
    @SuppressWarnings("AnnotateFormatMethod")
    void expect(boolean holds, String format, Object... values) {
        if (!holds) {
            texts.add(format.formatted(values));
        }
    }

    List<String> texts() {
        return List.copyOf(texts);
    }
}
