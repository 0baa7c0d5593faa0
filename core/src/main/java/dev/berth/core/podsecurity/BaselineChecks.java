package dev.berth.core.podsecurity;

import static dev.berth.core.podsecurity.PodView.containers;
import static dev.berth.core.podsecurity.PodView.plural;
import static dev.berth.core.podsecurity.PodView.quoted;
import static dev.berth.core.podsecurity.PodView.security;
import static dev.berth.core.podsecurity.PodView.setters;
import static dev.berth.core.podsecurity.SecurityControl.baseline;
import static dev.berth.core.podsecurity.SecurityControl.since;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The controls of the level baseline, which prevents known privilege escalations.
final class BaselineChecks {

    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
    private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
    private static final String SECCOMP_CONTAINER =
            "container.seccomp.security.alpha.kubernetes.io/";
    static final Set<String> PROFILE_TYPES = Set.of("RuntimeDefault", "Localhost");

    private static final Set<String> CAPABILITIES =
            Set.of(
                    "AUDIT_WRITE",
                    "CHOWN",
                    "DAC_OVERRIDE",
                    "FOWNER",
                    "FSETID",
                    "KILL",
                    "MKNOD",
                    "NET_BIND_SERVICE",
                    "SETFCAP",
                    "SETGID",
                    "SETPCAP",
                    "SETUID",
                    "SYS_CHROOT");

    private static final List<String> SELINUX_TYPES =
            List.of("", "container_t", "container_init_t", "container_kvm_t");

    /// Each release adds to the sysctls of the one before.
    private static final List<String> SYSCTLS_0 =
            List.of(
                    "kernel.shm_rmid_forced",
                    "net.ipv4.ip_local_port_range",
                    "net.ipv4.tcp_syncookies",
                    "net.ipv4.ping_group_range",
                    "net.ipv4.ip_unprivileged_port_start");

    private static final List<String> SYSCTLS_27 =
            more(SYSCTLS_0, "net.ipv4.ip_local_reserved_ports");
    private static final List<String> SYSCTLS_29 =
            more(
                    SYSCTLS_27,
                    "net.ipv4.tcp_keepalive_time",
                    "net.ipv4.tcp_fin_timeout",
                    "net.ipv4.tcp_keepalive_intvl",
                    "net.ipv4.tcp_keepalive_probes");
    private static final List<String> SYSCTLS_32 =
            more(SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");
    private static final List<String> SYSCTLS_37 =
            more(SYSCTLS_32, "net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat");

    /// By id.
    static final List<SecurityControl> ALL =
            List.of(
                    baseline("appArmorProfile", BaselineChecks::appArmor),
                    baseline("capabilities_baseline", BaselineChecks::capabilities),
                    baseline("hostNamespaces", HostChecks::hostNamespaces),
                    baseline("hostPathVolumes", HostChecks::hostPaths),
                    baseline("hostPorts", HostChecks::hostPorts),
                    baseline(
                            "hostProbesAndHostLifecycle",
                            List.of(since(34, HostChecks::probeHosts))),
                    baseline("privileged", BaselineChecks::privileged),
                    baseline(
                            "procMount",
                            List.of(
                                    since(0, BaselineChecks::procMount),
                                    since(
                                            35,
                                            pod ->
                                                    pod.hasUserNamespace()
                                                            ? Optional.empty()
                                                            : procMount(pod)))),
                    baseline(
                            "seLinuxOptions",
                            List.of(
                                    since(0, pod -> seLinux(pod, SELINUX_TYPES)),
                                    since(
                                            31,
                                            pod ->
                                                    seLinux(
                                                            pod,
                                                            more(
                                                                    SELINUX_TYPES,
                                                                    "container_engine_t"))))),
                    baseline(
                            "seccompProfile_baseline",
                            List.of(
                                    since(0, BaselineChecks::seccompAnnotations),
                                    since(19, BaselineChecks::seccomp))),
                    baseline(
                            "sysctls",
                            List.of(
                                    since(0, pod -> sysctls(pod, SYSCTLS_0)),
                                    since(27, pod -> sysctls(pod, SYSCTLS_27)),
                                    since(29, pod -> sysctls(pod, SYSCTLS_29)),
                                    since(32, pod -> sysctls(pod, SYSCTLS_32)),
                                    since(37, pod -> sysctls(pod, SYSCTLS_37)))),
                    baseline("windowsHostProcess", HostChecks::hostProcess));

    private BaselineChecks() {}

    private static List<String> more(List<String> some, String... others) {
        return Stream.concat(some.stream(), Stream.of(others)).toList();
    }

    static Optional<ControlViolation> violation(Collection<?> found, String reason, String detail) {
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new ControlViolation(reason, detail));
    }

    private static Optional<ControlViolation> appArmor(PodView pod) {
        var values = new TreeSet<String>();
        var podWide = isBadProfile(pod.securityContext(), "appArmorProfile", values);
        var names =
                pod.containersWith(one -> isBadProfile(security(one), "appArmorProfile", values));
        var annotations = new ArrayList<String>();
        for (var name : new TreeSet<>(pod.annotations().names())) {
            var value = pod.annotations().text(name);
            var isAllowed =
                    value.isEmpty()
                            || value.equals("runtime/default")
                            || value.startsWith("localhost/");
            if (name.startsWith(APP_ARMOR) && !isAllowed) {
                annotations.add(name + "=" + GoText.quote(value));
            }
        }
        var setters = new ArrayList<String>();
        if (podWide || !names.isEmpty()) {
            setters.add(setters(podWide, names));
        }
        if (!annotations.isEmpty()) {
            setters.add(plural("annotation", annotations));
        }
        var all = more(List.copyOf(values), annotations.toArray(String[]::new));
        return violation(
                all,
                plural("forbidden AppArmor profile", all),
                "%s must not set AppArmor profile type to %s"
                        .formatted(String.join(" and ", setters), quoted(all)));
    }

    /// True for a profile of another type than the allowed ones; adds it to the values.
    static boolean isBadProfile(JsonObject security, String field, Set<String> values) {
        var type = security.object(field).map(profile -> profile.text("type"));
        if (type.isEmpty() || PROFILE_TYPES.contains(type.get())) {
            return false;
        }
        values.add(type.get());
        return true;
    }

    private static Optional<ControlViolation> capabilities(PodView pod) {
        var added = new TreeSet<String>();
        var names =
                pod.containersWith(one -> {
                    var others =
                            security(one).objectOrEmpty("capabilities").strings("add").stream()
                                    .filter(name -> !CAPABILITIES.contains(name))
                                    .toList();
                    added.addAll(others);
                    return !others.isEmpty();
                });
        return violation(
                names,
                "non-default capabilities",
                "%s must not include %s in securityContext.capabilities.add"
                        .formatted(containers(names), quoted(added)));
    }

    private static Optional<ControlViolation> privileged(PodView pod) {
        var names = pod.containersWith(one -> security(one).flag("privileged").orElse(false));
        return violation(
                names,
                "privileged",
                containers(names) + " must not set securityContext.privileged=true");
    }

    static Optional<ControlViolation> procMount(PodView pod) {
        var types = new TreeSet<String>();
        var names =
                pod.containersWith(one -> {
                    var type = security(one).string("procMount");
                    type.filter(text -> !text.equals("Default")).ifPresent(types::add);
                    return type.isPresent() && !type.get().equals("Default");
                });
        return violation(
                names,
                "procMount",
                "%s must not set securityContext.procMount to %s"
                        .formatted(containers(names), quoted(types)));
    }

    private static Optional<ControlViolation> seLinux(PodView pod, List<String> allowed) {
        var faults = new SeLinuxFaults();
        var podWide = faults.add(pod.securityContext(), allowed);
        var names = pod.containersWith(one -> faults.add(security(one), allowed));
        return violation(
                faults.details(),
                "seLinuxOptions",
                "%s set forbidden securityContext.seLinuxOptions: %s"
                        .formatted(setters(podWide, names), String.join("; ", faults.details())));
    }

    /// Forbidden SELinux options of a pod and its containers.
    private static final class SeLinuxFaults {
        private final Set<String> types = new TreeSet<>();
        private boolean user;
        private boolean role;

        boolean add(JsonObject security, List<String> allowed) {
            var options = security.objectOrEmpty("seLinuxOptions");
            var hasBadType = !allowed.contains(options.text("type"));
            if (hasBadType) {
                types.add(options.text("type"));
            }
            var hasUser = !options.text("user").isEmpty();
            var hasRole = !options.text("role").isEmpty();
            user |= hasUser;
            role |= hasRole;
            return hasBadType || hasUser || hasRole;
        }

        List<String> details() {
            var details = new ArrayList<String>();
            if (!types.isEmpty()) {
                details.add(plural("type", types) + " " + quoted(types));
            }
            if (user) {
                details.add("user may not be set");
            }
            if (role) {
                details.add("role may not be set");
            }
            return details;
        }
    }

    private static Optional<ControlViolation> seccompAnnotations(PodView pod) {
        var forbidden = new TreeSet<String>();
        var names =
                Stream.concat(
                        Stream.of(SECCOMP_POD),
                        pod.containers().stream().map(one -> SECCOMP_CONTAINER + one.text("name")));
        names.forEach(name ->
                pod.annotations()
                        .string(name)
                        .filter(value ->
                                !value.equals("runtime/default")
                                        && !value.equals("docker/default")
                                        && !value.startsWith("localhost/"))
                        .ifPresent(value -> forbidden.add(name + "=" + GoText.quote(value))));
        return violation(
                forbidden,
                "seccompProfile",
                "forbidden %s %s"
                        .formatted(plural("annotation", forbidden), String.join(", ", forbidden)));
    }

    static Optional<ControlViolation> seccomp(PodView pod) {
        var types = new TreeSet<String>();
        var podWide = isBadProfile(pod.securityContext(), "seccompProfile", types);
        var names = pod.containersWith(one -> isBadProfile(security(one), "seccompProfile", types));
        return violation(
                types,
                "seccompProfile",
                "%s must not set securityContext.seccompProfile.type to %s"
                        .formatted(setters(podWide, names), quoted(types)));
    }

    private static Optional<ControlViolation> sysctls(PodView pod, List<String> allowed) {
        var others =
                pod.securityContext().objects("sysctls").stream()
                        .map(sysctl -> sysctl.text("name"))
                        .filter(name -> !allowed.contains(name))
                        .toList();
        return violation(others, "forbidden sysctls", String.join(", ", others));
    }
}
