package dev.berth.node.pod;

import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.ContainerObservation.State;
import dev.berth.node.pod.PodDecision.DecisionInput;
import dev.berth.node.runtime.SandboxState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Builds the status of a pod. Fields and conditions of other writers are kept.
final class PodStatusBuilder {

    private static final Set<String> OWN_CONDITIONS =
            Set.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady");

    private final DecisionInput input;
    private final PodDefinition definition;
    private final JsonObject before;

    PodStatusBuilder(DecisionInput input) {
        this.input = input;
        this.definition = input.definition();
        this.before = definition.status();
    }

    /// The status while the pod runs or terminates.
    JsonObject status() {
        return status(definition.isFinished() ? before.text("phase") : phase(), false);
    }

    /// The status after termination, when all resources are released.
    JsonObject lastStatus(String phase, TerminationCause cause) {
        var status = status(phase, true);
        if (!cause.reason().isEmpty()) {
            status = status.with("reason", Json.of(cause.reason()));
        }
        return cause.message().isEmpty()
                ? status
                : status.with("message", Json.of(cause.message()));
    }

    private JsonObject status(String phase, boolean isLast) {
        var status = before.with("phase", Json.of(phase)).with("conditions", conditions(phase));
        if (!status.has("startTime")) {
            status = status.with("startTime", Json.of(input.now()));
        }
        var generation = definition.tree().objectOrEmpty("metadata").number("generation").orElse(0);
        if (generation > 0) {
            status = status.with("observedGeneration", Json.of(generation));
        }
        status = withAddresses(status).with("containerStatuses", all(input.main(), isLast));
        return input.initContainers().isEmpty()
                ? status
                : status.with("initContainerStatuses", all(input.initContainers(), isLast));
    }

    /// The phase of a pod that has not terminated.
    private String phase() {
        if (!input.isInitialized()) {
            return "Pending";
        }
        var isWaiting = input.main().stream().anyMatch(ContainerStatusBuilder::hasNeverRun);
        var hasRun =
                input.main().stream()
                        .anyMatch(container -> container.state() instanceof State.Exited);
        return isWaiting && !hasRun ? "Pending" : "Running";
    }

    private JsonObject withAddresses(JsonObject status) {
        var host = input.observation().node().addresses();
        var pod =
                definition.isOnHostNetwork()
                        ? host
                        : input.observation()
                                .sandbox()
                                .map(SandboxState::addresses)
                                .orElse(List.of());
        var withHost =
                host.isEmpty()
                        ? status
                        : status.with("hostIP", Json.of(host.getFirst()))
                                .with("hostIPs", addresses(host));
        return pod.isEmpty()
                ? withHost
                : withHost.with("podIP", Json.of(pod.getFirst())).with("podIPs", addresses(pod));
    }

    private static Json addresses(List<String> all) {
        return Json.array(all.stream().map(one -> JsonObject.of("ip", Json.of(one))).toList());
    }

    private Json all(List<ContainerObservation> containers, boolean isLast) {
        var statuses = new ArrayList<JsonObject>();
        for (var container : containers) {
            statuses.add(new ContainerStatusBuilder(input, container).status(isLast));
        }
        return Json.array(statuses);
    }

    private Json conditions(String phase) {
        var conditions = new LinkedHashMap<String, JsonObject>();
        before.objects("conditions").forEach(one -> conditions.put(one.text("type"), one));
        var isOver = phase.equals("Succeeded") || phase.equals("Failed");
        var isUp = input.observation().sandbox().isPresent();
        put(conditions, "PodReadyToStartContainers", isUp, "", "");
        initialized(conditions, phase);
        if (isOver) {
            var reason = phase.equals("Succeeded") ? "PodCompleted" : "PodFailed";
            put(conditions, "ContainersReady", false, reason, "");
            put(conditions, "Ready", false, reason, "");
        } else {
            readiness(conditions);
        }
        return Json.array(List.copyOf(conditions.values()));
    }

    private void initialized(Map<String, JsonObject> conditions, String phase) {
        if (input.isInitialized()) {
            var reason = phase.equals("Succeeded") ? "PodCompleted" : "";
            put(conditions, "Initialized", true, reason, "");
        } else {
            var names =
                    names(
                            input.initContainers(),
                            container ->
                                    container.definition().role() == Role.SIDECAR
                                            ? container.hasStarted()
                                            : container.hasSucceeded());
            put(
                    conditions,
                    "Initialized",
                    false,
                    "ContainersNotInitialized",
                    "containers with incomplete status: " + names);
        }
    }

    private void readiness(Map<String, JsonObject> conditions) {
        var relevant =
                input.all()
                        .filter(container -> container.definition().role() != Role.INIT)
                        .toList();
        var names = names(relevant, ContainerObservation::isReady);
        if (!names.equals("[]")) {
            var message = "containers with unready status: " + names;
            put(conditions, "ContainersReady", false, "ContainersNotReady", message);
            put(conditions, "Ready", false, "ContainersNotReady", message);
            return;
        }
        put(conditions, "ContainersReady", true, "", "");
        var missing = new ArrayList<String>();
        for (var gate : definition.spec().objects("readinessGates")) {
            var type = gate.text("conditionType");
            var found = conditions.getOrDefault(type, JsonObject.EMPTY);
            if (!OWN_CONDITIONS.contains(type) && !found.text("status").equals("True")) {
                missing.add(
                        "the status of pod readiness gate \"%s\" is not \"True\"".formatted(type));
            }
        }
        put(
                conditions,
                "Ready",
                missing.isEmpty(),
                missing.isEmpty() ? "" : "ReadinessGatesNotReady",
                String.join(", ", missing));
    }

    private interface Test {
        boolean passes(ContainerObservation container);
    }

    private static String names(List<ContainerObservation> containers, Test test) {
        var names =
                containers.stream()
                        .filter(container -> !test.passes(container))
                        .map(container -> container.definition().name())
                        .toList();
        return "[" + String.join(" ", names) + "]";
    }

    private void put(
            Map<String, JsonObject> conditions,
            String type,
            boolean isTrue,
            String reason,
            String message) {
        conditions.put(
                type,
                ConditionTrees.update(
                        before.objects("conditions"),
                        type,
                        isTrue ? "True" : "False",
                        reason,
                        message,
                        input.now()));
    }
}
