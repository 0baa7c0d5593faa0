package dev.berth.core.podsecurity;

import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/// The fields of a pod that controls check, and how messages name them.
final class PodView {

    /// The order in which messages name containers.
    private static final List<String> LISTS =
            List.of("initContainers", "containers", "ephemeralContainers");

    private final JsonObject annotations;
    private final JsonObject spec;
    private final List<JsonObject> containers = new ArrayList<>();

    PodView(JsonObject pod) {
        this.annotations = pod.objectOrEmpty("metadata").objectOrEmpty("annotations");
        this.spec = pod.objectOrEmpty("spec");
        LISTS.forEach(list -> containers.addAll(spec.objects(list)));
    }

    JsonObject annotations() {
        return annotations;
    }

    JsonObject spec() {
        return spec;
    }

    JsonObject securityContext() {
        return security(spec);
    }

    /// The security context of a pod's spec or of a container.
    static JsonObject security(JsonObject holder) {
        return holder.objectOrEmpty("securityContext");
    }

    List<JsonObject> containers() {
        return containers;
    }

    boolean isWindows() {
        return spec.objectOrEmpty("os").text("name").equals("windows");
    }

    /// True when the pod has a user namespace of its own.
    boolean hasUserNamespace() {
        return spec.flag("hostUsers").filter(host -> !host).isPresent();
    }

    /// Names of the containers that satisfy a predicate.
    List<String> containersWith(Predicate<JsonObject> predicate) {
        return containers.stream().filter(predicate).map(one -> one.text("name")).toList();
    }

    /// `container "a"` or `containers "a", "b"`.
    static String containers(Collection<String> names) {
        return plural("container", names) + " " + quoted(names);
    }

    /// The pod, containers, or both, as the subject of a sentence.
    static String setters(boolean pod, Collection<String> containers) {
        var parts = new ArrayList<String>();
        if (pod) {
            parts.add("pod");
        }
        if (!containers.isEmpty()) {
            parts.add(containers(containers));
        }
        return String.join(" and ", parts);
    }

    static String quoted(Collection<String> texts) {
        return "\"" + String.join("\", \"", texts) + "\"";
    }

    static String plural(String word, Collection<?> things) {
        return things.size() == 1 ? word : word + "s";
    }
}
