package dev.berth.app.scenario;

import java.util.List;

/// Whether something is as expected.
sealed interface ExpectationResult {

    /// It is.
    ///
    /// @param sight what was seen then
    record Met(List<PodResult> stories, NamespaceView sight) implements ExpectationResult {}

    /// It is not, or not yet.
    record NotYet(String reason) implements ExpectationResult {}
}
