package dev.berth.core.podsecurity;

import static dev.berth.core.podsecurity.PodView.containers;
import static dev.berth.core.podsecurity.PodView.plural;
import static dev.berth.core.podsecurity.PodView.quoted;
import static dev.berth.core.podsecurity.PodView.security;
import static dev.berth.core.podsecurity.PodView.setters;
import static dev.berth.core.podsecurity.SecurityControl.restricted;
import static dev.berth.core.podsecurity.SecurityControl.since;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// The controls that the level restricted adds to baseline.
final class RestrictedChecks {

    private static final Set<String> VOLUME_TYPES =
            Set.of(
                    "configMap",
                    "csi",
                    "downwardAPI",
                    "emptyDir",
                    "ephemeral",
                    "image",
                    "persistentVolumeClaim",
                    "projected",
                    "secret");

    /// By id.
    static final List<SecurityControl> ALL =
            List.of(
                    restricted(
                            "allowPrivilegeEscalation",
                            List.of(
                                    since(8, RestrictedChecks::privilegeEscalation),
                                    since(25, onLinux(RestrictedChecks::privilegeEscalation)))),
                    restricted(
                            "capabilities_restricted",
                            List.of(
                                    since(22, RestrictedChecks::capabilities),
                                    since(25, onLinux(RestrictedChecks::capabilities))),
                            "capabilities_baseline"),
                    restricted(
                            "procMount_restricted",
                            List.of(since(35, BaselineChecks::procMount)),
                            "procMount"),
                    restricted(
                            "restrictedVolumes",
                            List.of(since(0, RestrictedChecks::volumes)),
                            "hostPathVolumes"),
                    restricted(
                            "runAsNonRoot",
                            List.of(
                                    since(0, RestrictedChecks::runAsNonRoot),
                                    since(35, onHostUsers(RestrictedChecks::runAsNonRoot)))),
                    restricted(
                            "runAsUser",
                            List.of(
                                    since(23, RestrictedChecks::runAsUser),
                                    since(35, onHostUsers(RestrictedChecks::runAsUser)))),
                    restricted(
                            "seccompProfile_restricted",
                            List.of(
                                    since(19, RestrictedChecks::seccomp),
                                    since(25, onLinux(RestrictedChecks::seccomp))),
                            "seccompProfile_baseline"));

    private RestrictedChecks() {}

    private static Function<PodView, Optional<ControlViolation>> onLinux(
            Function<PodView, Optional<ControlViolation>> check) {
        return pod -> pod.isWindows() ? Optional.empty() : check.apply(pod);
    }

    /// Users of a pod with its own user namespace are not users of the node.
    private static Function<PodView, Optional<ControlViolation>> onHostUsers(
            Function<PodView, Optional<ControlViolation>> check) {
        return pod -> pod.hasUserNamespace() ? Optional.empty() : check.apply(pod);
    }

    private static Optional<ControlViolation> privilegeEscalation(PodView pod) {
        var names =
                pod.containersWith(
                        one -> security(one).flag("allowPrivilegeEscalation").orElse(true));
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ControlViolation(
                                "allowPrivilegeEscalation != false",
                                containers(names)
                                        + " must set"
                                        + " securityContext.allowPrivilegeEscalation=false"));
    }

    private static Optional<ControlViolation> capabilities(PodView pod) {
        var keeping =
                pod.containersWith(one ->
                        !security(one)
                                .objectOrEmpty("capabilities")
                                .strings("drop")
                                .contains("ALL"));
        var added = new TreeSet<String>();
        var adding =
                pod.containersWith(one -> {
                    var others =
                            security(one).objectOrEmpty("capabilities").strings("add").stream()
                                    .filter(name -> !name.equals("NET_BIND_SERVICE"))
                                    .toList();
                    added.addAll(others);
                    return !others.isEmpty();
                });
        var details = new ArrayList<String>();
        if (!keeping.isEmpty()) {
            details.add(
                    containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        if (!adding.isEmpty()) {
            details.add(
                    "%s must not include %s in securityContext.capabilities.add"
                            .formatted(containers(adding), quoted(added)));
        }
        return details.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ControlViolation(
                                "unrestricted capabilities", String.join("; ", details)));
    }

    private static Optional<ControlViolation> volumes(PodView pod) {
        var names = new ArrayList<String>();
        var types = new TreeSet<String>();
        for (var volume : pod.spec().objects("volumes")) {
            var sources = volume.names().stream().filter(source -> !source.equals("name")).toList();
            if (sources.stream().noneMatch(VOLUME_TYPES::contains)) {
                names.add(volume.text("name"));
                types.add(sources.isEmpty() ? "unknown" : sources.getFirst());
            }
        }
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ControlViolation(
                                "restricted volume types",
                                "%s %s %s %s %s"
                                        .formatted(
                                                plural("volume", names),
                                                quoted(names),
                                                names.size() == 1 ? "uses" : "use",
                                                plural("restricted volume type", types),
                                                quoted(types))));
    }

    private static Optional<ControlViolation> runAsNonRoot(PodView pod) {
        var podWide = pod.securityContext().flag("runAsNonRoot");
        var isBadPod = podWide.filter(value -> !value).isPresent();
        var explicit =
                pod.containersWith(one ->
                        security(one).flag("runAsNonRoot").filter(value -> !value).isPresent());
        if (isBadPod || !explicit.isEmpty()) {
            return Optional.of(
                    new ControlViolation(
                            "runAsNonRoot != true",
                            setters(isBadPod, explicit)
                                    + " must not set securityContext.runAsNonRoot=false"));
        }
        var implicit =
                pod.containersWith(
                        one -> podWide.isEmpty() && security(one).flag("runAsNonRoot").isEmpty());
        return implicit.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ControlViolation(
                                "runAsNonRoot != true",
                                "pod or %s must set securityContext.runAsNonRoot=true"
                                        .formatted(containers(implicit))));
    }

    private static Optional<ControlViolation> runAsUser(PodView pod) {
        var podWide = pod.securityContext().number("runAsUser").orElse(-1) == 0;
        var names = pod.containersWith(one -> security(one).number("runAsUser").orElse(-1) == 0);
        return podWide || !names.isEmpty()
                ? Optional.of(
                        new ControlViolation(
                                "runAsUser=0",
                                setters(podWide, names) + " must not set runAsUser=0"))
                : Optional.empty();
    }

    private static Optional<ControlViolation> seccomp(PodView pod) {
        var explicit = BaselineChecks.seccomp(pod);
        if (explicit.isPresent()) {
            return explicit;
        }
        var podWide = pod.securityContext().object("seccompProfile").isPresent();
        var implicit =
                pod.containersWith(
                        one -> !podWide && security(one).object("seccompProfile").isEmpty());
        return implicit.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ControlViolation(
                                "seccompProfile",
                                ("pod or %s must set securityContext.seccompProfile.type to"
                                                + " \"RuntimeDefault\" or \"Localhost\"")
                                        .formatted(containers(implicit))));
    }
}
