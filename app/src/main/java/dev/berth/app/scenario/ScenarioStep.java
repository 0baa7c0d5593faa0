package dev.berth.app.scenario;

/// What happens next in a scenario.
public sealed interface ScenarioStep {

    /// The objects of a file are applied.
    record Apply(String file) implements ScenarioStep {}

    /// Something is waited for.
    record Expect(Expectation expectation) implements ScenarioStep {}

    /// An administrator taints the devices that a pod uses.
    ///
    /// @param pods the name, or its beginning and `*`
    /// @param effect such as `NoExecute`
    record Taint(String pods, String key, String value, String effect) implements ScenarioStep {}

    /// In a few words.
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
