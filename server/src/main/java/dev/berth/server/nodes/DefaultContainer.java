package dev.berth.server.nodes;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import java.util.List;
import java.util.stream.Collectors;

/// Decides which container of a pod somebody means.
public final class DefaultContainer {

    private static final List<String> LISTS =
            List.of("containers", "initContainers", "ephemeralContainers");

    private DefaultContainer() {}

    /// The name of a container that the pod has.
    ///
    /// @param asked empty for the only one
    public static String chosen(JsonObject pod, String asked) {
        var name = pod.objectOrEmpty("metadata").text("name");
        var spec = pod.objectOrEmpty("spec");
        if (!asked.isEmpty()) {
            var isThere =
                    LISTS.stream()
                            .flatMap(list -> spec.objects(list).stream())
                            .anyMatch(one -> one.text("name").equals(asked));
            if (!isThere) {
                throw ApiError.badRequest(
                                "container %s is not valid for pod %s".formatted(asked, name))
                        .exception();
            }
            return asked;
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
