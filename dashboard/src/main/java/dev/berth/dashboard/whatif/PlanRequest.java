package dev.berth.dashboard.whatif;

import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.plan.TolerationText;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.dashboard.http.DataRequest;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// A plan that a page asks for.
///
/// @param manifests YAML; empty for none
/// @param isPendingPlanned whether the pending pods of the cluster are planned, too
/// @param pod the only pending pod to plan; empty for all
record PlanRequest(
        String manifests,
        OptionalInt replicas,
        boolean isPendingPlanned,
        Optional<ObjectRef> pod,
        Set<ObjectRef> released,
        List<DeviceToleration> tolerations,
        Set<String> removedNodes,
        Optional<AddedNodes> addedNodes,
        PlacementPolicy policy,
        List<String> commandArguments) {

    private static final int MAX_REPLICAS = 10_000;
    private static final int MAX_NODES = 1_000;
    private static final int USUAL_NODES = 100;

    PlanRequest {
        released = Set.copyOf(released);
        tolerations = List.copyOf(tolerations);
        removedNodes = Set.copyOf(removedNodes);
        commandArguments = List.copyOf(commandArguments);
    }

    /// Copies of a node, up to a limit.
    record AddedNodes(String node, int limit) {}

    static PlanRequest parse(DataRequest request) throws DashboardError {
        if (!(JsonReader.read(request.body()) instanceof ParseResult.Documents(var documents))
                || documents.size() != 1
                || !(documents.getFirst().root() instanceof JsonObject tree)) {
            throw DashboardError.badRequest("the body is not one JSON object");
        }
        var arguments = new ArrayList<String>();
        var released = new LinkedHashSet<ObjectRef>();
        for (var text : tree.strings("release")) {
            released.add(ref(text));
            arguments.addAll(List.of("--release", text));
        }
        var tolerations = new ArrayList<DeviceToleration>();
        for (var text : tree.strings("tolerate")) {
            tolerations.add(toleration(text));
            arguments.addAll(List.of("--tolerate", text));
        }
        var removed = new LinkedHashSet<>(tree.strings("removeNodes"));
        removed.forEach(node -> arguments.addAll(List.of("--remove-nodes", node)));
        var added = addedNodes(tree);
        added.ifPresent(
                one -> arguments.addAll(List.of("--add-nodes", one.node + "=" + one.limit)));
        var policy = policy(tree.string("policy").orElse("kubernetes"));
        if (!policy.equals(PlacementPolicy.KUBERNETES)) {
            arguments.addAll(List.of("--policy", policy.toString()));
        }
        var replicas = replicas(tree);
        replicas.ifPresent(
                number -> arguments.addAll(List.of("--replicas", Integer.toString(number))));
        var pod =
                tree.object("pod")
                        .map(one -> new ObjectRef(one.text("namespace"), one.text("name")));
        return new PlanRequest(
                tree.text("manifests"),
                replicas,
                tree.flag("pending").orElse(true),
                pod,
                released,
                tolerations,
                removed,
                added,
                policy,
                arguments);
    }

    private static OptionalInt replicas(JsonObject tree) throws DashboardError {
        var number = tree.number("replicas");
        if (number.isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(bounded("replicas", number.getAsLong(), MAX_REPLICAS));
    }

    private static int bounded(String name, long number, int max) throws DashboardError {
        if (number < 0 || number > max) {
            throw DashboardError.badRequest(
                    "%s: %d is not from 0 to %d".formatted(name, number, max));
        }
        return (int) number;
    }

    private static Optional<AddedNodes> addedNodes(JsonObject tree) throws DashboardError {
        var added = tree.object("addNodes");
        if (added.isEmpty()) {
            return Optional.empty();
        }
        var limit = added.get().number("limit").orElse(USUAL_NODES);
        return Optional.of(
                new AddedNodes(
                        added.get().text("node"), bounded("addNodes.limit", limit, MAX_NODES)));
    }

    private static ObjectRef ref(String text) throws DashboardError {
        var slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            throw DashboardError.badRequest(
                    "release: \"%s\" is not NAMESPACE/NAME".formatted(text));
        }
        return new ObjectRef(text.substring(0, slash), text.substring(slash + 1));
    }

    private static DeviceToleration toleration(String text) throws DashboardError {
        return switch (TolerationText.parse(text)) {
            case TolerationText.Parsed.Valid(var toleration) -> toleration;
            case TolerationText.Parsed.Invalid(var problem) ->
                    throw DashboardError.badRequest("tolerate: " + problem);
        };
    }

    private static PlacementPolicy policy(String text) throws DashboardError {
        try {
            return PlacementPolicy.parse(text);
        } catch (IllegalArgumentException e) {
            throw DashboardError.badRequest("policy: " + e.getMessage());
        }
    }
}
