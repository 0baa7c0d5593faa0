package dev.berth.app.scenario;

/// A step of a scenario.
public sealed interface ScenarioStep {

    /// Applies the objects of a file.
    record Apply(String file) implements ScenarioStep {}

    /// Waits for an expectation.
    record Expect(Expectation expectation) implements ScenarioStep {}

    /// Taints the devices of a pod by a DeviceTaintRule.
    ///
    /// @param pods name, or prefix and `*`
    /// @param effect such as `NoExecute`
    record Taint(String pods, String key, String value, String effect) implements ScenarioStep {}

    /// A short description.
    default String text() {
        return switch (this) {
            case Apply(var file) -> "apply " + file;
            case Expect(var expectation) ->
                    expectation.phase() + " " + expectation.count() + " x " + expectation.pods();
            case Taint(var pods, var key, _, var effect) ->
                    "taint devices of %s with %s:%s".formatted(pods, key, effect);
        };
    }
}
