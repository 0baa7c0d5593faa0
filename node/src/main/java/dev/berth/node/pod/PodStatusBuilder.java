package dev.berth.node.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.ContainerDefinition.Role;
import dev.berth.node.pod.ContainerObservation.State;
import dev.berth.node.pod.PodDecision.Situation;
import dev.berth.node.runtime.SandboxState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a node says of a pod. Whatever others have said stays.
final class PodStatusBuilder {

    private static final Set<String> OURS =
            Set.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady");

    private final Situation situation;
    private final PodDefinition task;
    private final JsonObject before;

    PodStatusBuilder(Situation situation) {
        this.situation = situation;
        this.task = situation.task();
        this.before = task.status();
    }

    /// While it runs, or is being ended.
    JsonObject status() {
        return status(task.isFinished() ? before.text("phase") : phase(), false);
    }

    /// When nothing of it is left.
    JsonObject lastStatus(String phase, TerminationCause ending) {
        var status = status(phase, true);
        if (!ending.reason().isEmpty()) {
            status = status.with("reason", Json.of(ending.reason()));
        }
        return ending.message().isEmpty()
                ? status
                : status.with("message", Json.of(ending.message()));
    }

    private JsonObject status(String phase, boolean isLast) {
        var status = before.with("phase", Json.of(phase)).with("conditions", conditions(phase));
        if (!status.has("startTime")) {
            status = status.with("startTime", StatusFields.time(situation.now()));
        }
        var generation = task.tree().objectOrEmpty("metadata").number("generation").orElse(0);
        if (generation > 0) {
            status = status.with("observedGeneration", Json.of(generation));
        }
        status = withAddresses(status).with("containerStatuses", all(situation.main(), isLast));
        return situation.initial().isEmpty()
                ? status
                : status.with("initContainerStatuses", all(situation.initial(), isLast));
    }

    /// As of a pod that has not ended.
    private String phase() {
        if (!situation.isInitialised()) {
            return "Pending";
        }
        var isWaiting = situation.main().stream().anyMatch(ContainerStatusBuilder::hasNeverRun);
        var hasRun =
                situation.main().stream().anyMatch(look -> look.state() instanceof State.Exited);
        return isWaiting && !hasRun ? "Pending" : "Running";
    }

    private JsonObject withAddresses(JsonObject status) {
        var host = situation.sight().node().addresses();
        var pod =
                task.isOnHostNetwork()
                        ? host
                        : situation
                                .sight()
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

    private Json all(List<ContainerObservation> looks, boolean isLast) {
        var reports = new ArrayList<JsonObject>();
        for (var look : looks) {
            reports.add(new ContainerStatusBuilder(situation, look).status(isLast));
        }
        return Json.array(reports);
    }

    private Json conditions(String phase) {
        var conditions = new LinkedHashMap<String, JsonObject>();
        before.objects("conditions").forEach(one -> conditions.put(one.text("type"), one));
        var isOver = phase.equals("Succeeded") || phase.equals("Failed");
        var isUp = situation.sight().sandbox().isPresent();
        put(conditions, "PodReadyToStartContainers", isUp, "", "");
        initialised(conditions, phase);
        if (isOver) {
            var reason = phase.equals("Succeeded") ? "PodCompleted" : "PodFailed";
            put(conditions, "ContainersReady", false, reason, "");
            put(conditions, "Ready", false, reason, "");
        } else {
            readiness(conditions);
        }
        return Json.array(List.copyOf(conditions.values()));
    }

    private void initialised(Map<String, JsonObject> conditions, String phase) {
        if (situation.isInitialised()) {
            var reason = phase.equals("Succeeded") ? "PodCompleted" : "";
            put(conditions, "Initialized", true, reason, "");
        } else {
            var names =
                    names(
                            situation.initial(),
                            look ->
                                    look.task().role() == Role.SIDECAR
                                            ? look.hasStarted()
                                            : look.hasSucceeded());
            put(
                    conditions,
                    "Initialized",
                    false,
                    "ContainersNotInitialized",
                    "containers with incomplete status: " + names);
        }
    }

    private void readiness(Map<String, JsonObject> conditions) {
        var relevant = situation.all().filter(look -> look.task().role() != Role.INITIAL).toList();
        var names = names(relevant, ContainerObservation::isReady);
        if (!names.equals("[]")) {
            var message = "containers with unready status: " + names;
            put(conditions, "ContainersReady", false, "ContainersNotReady", message);
            put(conditions, "Ready", false, "ContainersNotReady", message);
            return;
        }
        put(conditions, "ContainersReady", true, "", "");
        var missing = new ArrayList<String>();
        for (var gate : task.spec().objects("readinessGates")) {
            var type = gate.text("conditionType");
            var found = conditions.getOrDefault(type, JsonObject.EMPTY);
            if (!OURS.contains(type) && !found.text("status").equals("True")) {
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
        boolean passes(ContainerObservation look);
    }

    private static String names(List<ContainerObservation> looks, Test test) {
        var names =
                looks.stream()
                        .filter(look -> !test.passes(look))
                        .map(look -> look.task().name())
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
                StatusFields.condition(
                        before.objects("conditions"),
                        type,
                        isTrue ? "True" : "False",
                        reason,
                        message,
                        situation.now()));
    }
}
