package dev.berth.app.scenario;

import java.time.Duration;
import java.util.List;

/// The result of a scenario.
///
/// @param asked a line for each distinct claim
/// @param given pods in the order of the expectations
/// @param why a line for each reason
public record ScenarioReport(
        Scenario scenario,
        List<String> asked,
        List<PodResult> given,
        List<String> why,
        Result ending,
        Duration took) {

    public ScenarioReport {
        asked = List.copyOf(asked);
        given = List.copyOf(given);
        why = List.copyOf(why);
    }

    /// The end of a scenario.
    public sealed interface Result {

        record Succeeded() implements Result {}

        /// A step failed.
        ///
        /// @param step the failed step
        record StepFailed(String step, String reason) implements Result {}
    }

    public boolean isAsExpected() {
        return ending instanceof Result.Succeeded;
    }
}
