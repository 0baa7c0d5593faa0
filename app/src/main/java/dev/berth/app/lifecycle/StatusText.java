package dev.berth.app.lifecycle;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The output of `berth status`.
record StatusText(Instant now) {

    String of(List<ClusterState> states) {
        return states.stream().map(this::of).collect(Collectors.joining("\n"));
    }

    private String of(ClusterState state) {
        var cluster = state.cluster();
        var lines = new StringBuilder();
        line(lines, "Cluster", cluster.directory().toString());
        line(lines, "State", phase(state));
        line(lines, "Address", cluster.server());
        line(
                lines,
                "Process",
                "pid %d, for %s"
                        .formatted(cluster.pid(), age(Duration.between(cluster.startedAt(), now))));
        if (state.problem().isEmpty()) {
            line(lines, "Nodes", "%d of %d ready".formatted(state.readyNodes(), state.nodes()));
            line(lines, "Pods", pods(state));
            line(
                    lines,
                    "Devices",
                    "%d of %d in use".formatted(state.devicesInUse(), state.devices()));
        }
        line(lines, "Kubeconfig", cluster.kubeconfig().toString());
        return lines.toString();
    }

    private static void line(StringBuilder lines, String name, String value) {
        lines.append("%-11s %s%n".formatted(name + ":", value));
    }

    private static String phase(ClusterState state) {
        if (state.problem().isPresent()) {
            return "running, but it does not answer: " + state.problem().get();
        }
        return switch (state.cluster().phase()) {
            case STARTING -> {
                var progress = state.cluster().progress();
                yield progress.isEmpty() ? "starting" : "starting: " + progress;
            }
            case UP -> "up; not all devices are published yet";
            case READY -> state.isReady() ? "ready" : "up; not all nodes are ready";
        };
    }

    private static String pods(ClusterState state) {
        var others = new TreeMap<>(state.pods());
        others.remove("Running");
        others.remove("Pending");
        var text =
                new StringBuilder(
                        "%d running, %d pending"
                                .formatted(state.pods("Running"), state.pods("Pending")));
        others.forEach((phase, count) ->
                text.append(", %d %s".formatted(count, phase.toLowerCase(Locale.ROOT))));
        return text.toString();
    }

    static String age(Duration age) {
        if (age.toDays() > 0) {
            return "%dd%dh".formatted(age.toDays(), age.toHoursPart());
        }
        if (age.toHours() > 0) {
            return "%dh%dm".formatted(age.toHours(), age.toMinutesPart());
        }
        return age.toMinutes() > 0
                ? "%dm%ds".formatted(age.toMinutes(), age.toSecondsPart())
                : Math.max(0, age.toSeconds()) + "s";
    }

    static JsonObject tree(List<ClusterState> states) {
        return JsonObject.of(
                "clusters", Json.array(states.stream().map(StatusText::tree).toList()));
    }

    private static JsonObject tree(ClusterState state) {
        var cluster = state.cluster();
        var tree =
                JsonObject.of("dataDirectory", Json.of(cluster.directory().toString()))
                        .with("server", Json.of(cluster.server()))
                        .with("kubeconfig", Json.of(cluster.kubeconfig().toString()))
                        .with("pid", Json.of(cluster.pid()))
                        .with("startedAt", Json.of(cluster.startedAt().toString()))
                        .with("phase", Json.of(cluster.phase().name().toLowerCase(Locale.ROOT)))
                        .with("ready", Json.of(state.isReady()));
        if (state.problem().isPresent()) {
            return tree.with("problem", Json.of(state.problem().get()));
        }
        var pods = JsonObject.EMPTY;
        for (var phase : new TreeMap<>(state.pods()).entrySet()) {
            pods =
                    pods.with(
                            phase.getKey().toLowerCase(Locale.ROOT),
                            Json.of(phase.getValue().longValue()));
        }
        return tree.with(
                        "nodes",
                        JsonObject.of("total", Json.of(state.nodes()))
                                .with("ready", Json.of(state.readyNodes())))
                .with("pods", pods)
                .with(
                        "devices",
                        JsonObject.of("total", Json.of(state.devices()))
                                .with("inUse", Json.of(state.devicesInUse())));
    }
}
