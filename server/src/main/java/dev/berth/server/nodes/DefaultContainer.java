package dev.berth.server.nodes;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import java.util.List;
import java.util.stream.Collectors;

/// Resolves the container of a log or exec request.
public final class DefaultContainer {

    private static final List<String> LISTS =
            List.of("containers", "initContainers", "ephemeralContainers");

    private DefaultContainer() {}

    /// The name of a container of the pod.
    ///
    /// @param requested empty for the only container
    public static String resolve(JsonObject pod, String requested) {
        var name = pod.objectOrEmpty("metadata").text("name");
        var spec = pod.objectOrEmpty("spec");
        if (!requested.isEmpty()) {
            var exists =
                    LISTS.stream()
                            .flatMap(list -> spec.objects(list).stream())
                            .anyMatch(one -> one.text("name").equals(requested));
            if (!exists) {
                throw ApiError.badRequest(
                                "container %s is not valid for pod %s".formatted(requested, name))
                        .exception();
            }
            return requested;
        }
        var containers = spec.objects("containers");
        if (containers.size() == 1) {
            return containers.getFirst().text("name");
        }
        var choice = "a container name must be specified for pod " + name;
        if (!containers.isEmpty()) {
            choice += ", choose one of: [%s]".formatted(names(containers));
            var initial = spec.objects("initContainers");
            if (!initial.isEmpty()) {
                choice += " or one of the init containers: [%s]".formatted(names(initial));
            }
        }
        throw ApiError.badRequest(choice).exception();
    }

    private static String names(List<JsonObject> containers) {
        return containers.stream().map(one -> one.text("name")).collect(Collectors.joining(" "));
    }
}
