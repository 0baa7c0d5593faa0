package dev.berth.app.scenario;

import java.util.List;

/// The result of a check.
sealed interface ExpectationResult {

    /// The expectation is met.
    ///
    /// @param view the state of the namespace
    record Met(List<PodResult> results, NamespaceView view) implements ExpectationResult {}

    /// The expectation is not met, or not yet.
    record NotYet(String reason) implements ExpectationResult {}
}
