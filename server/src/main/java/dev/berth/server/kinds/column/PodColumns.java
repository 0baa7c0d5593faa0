package dev.berth.server.kinds.column;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.TableColumn;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Table columns of pods. The status is derived from the phase, the containers and the deletion
/// timestamp, as in `kubectl`.
public final class PodColumns {

    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private PodColumns() {}

    public static List<TableColumn> all() {
        return Columns.named()
                .text(
                        "Ready",
                        "Ready and total containers",
                        pod -> {
                            var summary = Summary.of(pod);
                            return summary.ready + "/" + summary.total;
                        })
                .text("Status", "Status of the pod", pod -> Summary.of(pod).reason)
                .timed(
                        "Restarts",
                        "Number of container restarts, and time since the last one",
                        (pod, now) -> Json.of(Summary.of(pod).restartsText(now)))
                .age()
                .wide("IP", "IP address of the pod", PodColumns::address)
                .wide("Node", "Node of the pod", pod -> orNone(pod, "spec", "nodeName"))
                .wide(
                        "Nominated Node",
                        "Node on which the pod preempts others",
                        pod -> orNone(pod, "status", "nominatedNodeName"))
                .wide("Readiness Gates", "Passed and total readiness gates", PodColumns::gates)
                .list();
    }

    private static String orNone(JsonObject pod, String holder, String name) {
        return Columns.orNone(pod.objectOrEmpty(holder).text(name));
    }

    private static String address(JsonObject pod) {
        var status = pod.objectOrEmpty("status");
        var all = status.objects("podIPs");
        return Columns.orNone(all.isEmpty() ? status.text("podIP") : all.getFirst().text("ip"));
    }

    private static String gates(JsonObject pod) {
        var gates = pod.objectOrEmpty("spec").objects("readinessGates");
        if (gates.isEmpty()) {
            return Columns.NONE;
        }
        var open = gates.stream().filter(gate -> isTrue(pod, gate.text("conditionType"))).count();
        return open + "/" + gates.size();
    }

    private static boolean isTrue(JsonObject pod, String type) {
        return pod.objectOrEmpty("status").objects("conditions").stream()
                .anyMatch(c -> c.text("type").equals(type) && c.text("status").equals("True"));
    }

    /// Summary of the containers of a pod.
    private static final class Summary {
        private final JsonObject spec;
        private final JsonObject status;
        private String reason;
        private long restarts;
        private String lastRestart = "";
        private long lastingRestarts;
        private String lastLastingRestart = "";
        private long ready;
        private long total;

        private Summary(JsonObject pod) {
            spec = pod.objectOrEmpty("spec");
            status = pod.objectOrEmpty("status");
            reason = status.text("reason").isEmpty() ? status.text("phase") : status.text("reason");
        }

        static Summary of(JsonObject pod) {
            var summary = new Summary(pod);
            summary.count(pod);
            return summary;
        }

        private void count(JsonObject pod) {
            for (var condition : status.objects("conditions")) {
                if (condition.text("type").equals("PodScheduled")
                        && condition.text("reason").equals("SchedulingGated")) {
                    reason = "SchedulingGated";
                }
            }
            total = spec.items("containers").size();
            total += spec.objects("initContainers").stream().filter(Summary::isRestartable).count();
            var initializing = initContainers();
            if (!initializing || isTrue(pod, "Initialized")) {
                containers(pod);
            }
            if (pod.objectOrEmpty("metadata").has("deletionTimestamp")) {
                if (status.text("reason").equals("NodeLost")) {
                    reason = "Unknown";
                } else if (!ENDED.contains(status.text("phase"))) {
                    reason = "Terminating";
                }
            }
        }

        /// True for a restartable init container (sidecar).
        private static boolean isRestartable(JsonObject container) {
            return container.text("restartPolicy").equals("Always");
        }

        /// True while init containers are running.
        private boolean initContainers() {
            var statuses = status.objects("initContainerStatuses");
            for (var i = 0; i < statuses.size(); i++) {
                if (isInitializing(statuses.get(i), i)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isInitializing(JsonObject one, int index) {
            var lasting =
                    spec.objects("initContainers").stream()
                            .anyMatch(c ->
                                    c.text("name").equals(one.text("name")) && isRestartable(c));
            restarts += one.number("restartCount").orElse(0);
            lastRestart = later(lastRestart, ended(one));
            if (lasting) {
                lastingRestarts += one.number("restartCount").orElse(0);
                lastLastingRestart = later(lastLastingRestart, ended(one));
            }
            var state = one.objectOrEmpty("state");
            var terminated = state.object("terminated");
            var waiting = state.objectOrEmpty("waiting").text("reason");
            if (terminated.isPresent() && terminated.get().number("exitCode").orElse(0) == 0) {
                return false;
            }
            if (lasting && one.flag("started").orElse(false)) {
                ready += one.flag("ready").orElse(false) ? 1 : 0;
                return false;
            }
            if (terminated.isPresent()) {
                reason = "Init:" + end(terminated.get());
            } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                reason = "Init:" + waiting;
            } else {
                reason = "Init:" + index + "/" + spec.items("initContainers").size();
            }
            return true;
        }

        private void containers(JsonObject pod) {
            restarts = lastingRestarts;
            lastRestart = lastLastingRestart;
            var running = false;
            for (var one : status.objects("containerStatuses").reversed()) {
                restarts += one.number("restartCount").orElse(0);
                lastRestart = later(lastRestart, ended(one));
                var state = one.objectOrEmpty("state");
                var waiting = state.objectOrEmpty("waiting").text("reason");
                if (!waiting.isEmpty()) {
                    reason = waiting;
                } else if (state.has("terminated")) {
                    reason = end(state.objectOrEmpty("terminated"));
                } else if (one.flag("ready").orElse(false) && state.has("running")) {
                    running = true;
                    ready++;
                }
            }
            if (reason.equals("Completed") && running) {
                reason = isTrue(pod, "Ready") ? "Running" : "NotReady";
            }
        }

        private static String end(JsonObject terminated) {
            if (!terminated.text("reason").isEmpty()) {
                return terminated.text("reason");
            }
            var signal = terminated.number("signal").orElse(0);
            return signal != 0
                    ? "Signal:" + signal
                    : "ExitCode:" + terminated.number("exitCode").orElse(0);
        }

        private static String ended(JsonObject one) {
            return Columns.at(one, "lastState", "terminated", "finishedAt");
        }

        private static String later(String a, String b) {
            return a.compareTo(b) >= 0 ? a : b;
        }

        String restartsText(Instant now) {
            return restarts == 0 || lastRestart.isEmpty()
                    ? Long.toString(restarts)
                    : "%d (%s ago)".formatted(restarts, HumanDuration.since(lastRestart, now));
        }
    }
}
