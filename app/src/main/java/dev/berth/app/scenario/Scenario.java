package dev.berth.app.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A folder with manifests and what is expected to come of them; [ScenarioReader] reads it.
///
/// @param name of the folder
/// @param title in a few words
/// @param nodes that it takes, as `berth up --nodes` wants them
/// @param namespaceLabels of the namespace in which it takes place
/// @param shows attributes and capacities of devices that matter to a reader
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

    /// The namespace of its own in which it takes place.
    public String namespace() {
        return "demo-" + name;
    }
}
