package dev.berth.core.podsecurity;

import static dev.berth.core.podsecurity.BaselineChecks.violation;
import static dev.berth.core.podsecurity.PodView.containers;
import static dev.berth.core.podsecurity.PodView.plural;
import static dev.berth.core.podsecurity.PodView.quoted;
import static dev.berth.core.podsecurity.PodView.security;
import static dev.berth.core.podsecurity.PodView.setters;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Controls of baseline that deny access to namespaces, paths, ports and processes of the host.
final class HostChecks {

    private HostChecks() {}

    static Optional<ControlViolation> hostNamespaces(PodView pod) {
        var used =
                Stream.of("hostIPC", "hostNetwork", "hostPID")
                        .filter(name -> pod.spec().flag(name).orElse(false))
                        .map(name -> name + "=true")
                        .toList();
        return violation(used, "host namespaces", String.join(", ", used));
    }

    static Optional<ControlViolation> hostPaths(PodView pod) {
        var names =
                pod.spec().objects("volumes").stream()
                        .filter(volume -> volume.has("hostPath"))
                        .map(volume -> volume.text("name"))
                        .toList();
        return violation(names, "hostPath volumes", plural("volume", names) + " " + quoted(names));
    }

    static Optional<ControlViolation> hostPorts(PodView pod) {
        var ports = new TreeSet<String>();
        var names =
                pod.containersWith(one -> {
                    var used =
                            one.objects("ports").stream()
                                    .map(port -> port.number("hostPort").orElse(0))
                                    .filter(port -> port != 0)
                                    .map(port -> Long.toString(port))
                                    .toList();
                    ports.addAll(used);
                    return !used.isEmpty();
                });
        return violation(
                names,
                "hostPort",
                "%s %s %s %s"
                        .formatted(
                                containers(names),
                                names.size() == 1 ? "uses" : "use",
                                plural("hostPort", ports),
                                String.join(", ", ports)));
    }

    static Optional<ControlViolation> probeHosts(PodView pod) {
        var hosts = new TreeSet<String>();
        var names =
                new TreeSet<>(
                        pod.containersWith(one -> {
                            var used = hosts(one);
                            hosts.addAll(used);
                            return !used.isEmpty();
                        }));
        return violation(
                names,
                "probe or lifecycle host",
                "%s %s %s %s"
                        .formatted(
                                containers(names),
                                names.size() == 1 ? "uses" : "use",
                                plural("probe or lifecycle host", hosts),
                                quoted(hosts)));
    }

    private static List<String> hosts(JsonObject container) {
        var lifecycle = container.objectOrEmpty("lifecycle");
        return Stream.of(
                        container.objectOrEmpty("livenessProbe"),
                        container.objectOrEmpty("readinessProbe"),
                        container.objectOrEmpty("startupProbe"),
                        lifecycle.objectOrEmpty("postStart"),
                        lifecycle.objectOrEmpty("preStop"))
                .flatMap(handler ->
                        Stream.of(
                                handler.objectOrEmpty("httpGet").text("host"),
                                handler.objectOrEmpty("tcpSocket").text("host")))
                .filter(host -> !host.isEmpty())
                .toList();
    }

    static Optional<ControlViolation> hostProcess(PodView pod) {
        var podWide = isHostProcess(pod.securityContext());
        var names = pod.containersWith(one -> isHostProcess(security(one)));
        var setters = setters(podWide, names);
        return setters.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ControlViolation(
                                "hostProcess",
                                setters
                                        + " must not set"
                                        + " securityContext.windowsOptions.hostProcess=true"));
    }

    private static boolean isHostProcess(JsonObject security) {
        return security.objectOrEmpty("windowsOptions").flag("hostProcess").orElse(false);
    }
}
