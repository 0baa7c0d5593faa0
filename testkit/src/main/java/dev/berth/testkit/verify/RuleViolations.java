package dev.berth.testkit.verify;

import java.util.ArrayList;
import java.util.List;

/// The rules that were found broken.
final class RuleViolations {

    private final List<String> texts = new ArrayList<>();

    /// Notes the rule as broken unless it holds.
    // The annotation that would check formats is in no library that we have.
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
