package dev.berth.app.scenario;

import java.time.Duration;
import java.util.List;

/// What came of a scenario.
///
/// @param asked what was asked for, a line for each different claim
/// @param given what became of the pods, in the order in which it was expected
/// @param why a line for each reason
public record ScenarioReport(
        Scenario scenario,
        List<String> asked,
        List<PodResult> given,
        List<String> why,
        Ending ending,
        Duration took) {

    public ScenarioReport {
        asked = List.copyOf(asked);
        given = List.copyOf(given);
        why = List.copyOf(why);
    }

    /// How it ended.
    public sealed interface Ending {

        record AsExpected() implements Ending {}

        /// Something did not come out.
        ///
        /// @param step at which it stopped
        record Otherwise(String step, String reason) implements Ending {}
    }

    public boolean isAsExpected() {
        return ending instanceof Ending.AsExpected;
    }
}
