package dev.berth.app.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A directory with manifests and expectations; [ScenarioReader] reads it.
///
/// @param name name of the directory
/// @param title short description
/// @param nodes required nodes, in the syntax of `berth up --nodes`
/// @param namespaceLabels labels of the scenario's namespace
/// @param shows attributes and capacities of devices to report
public record Scenario(
        String name,
        Path directory,
        String title,
        String nodes,
        Map<String, String> namespaceLabels,
        List<String> shows,
        List<ScenarioStep> steps) {

    public Scenario {
        namespaceLabels = Map.copyOf(namespaceLabels);
        shows = List.copyOf(shows);
        steps = List.copyOf(steps);
    }

    /// The namespace of the scenario.
    public String namespace() {
        return "demo-" + name;
    }
}
