package dev.berth.node.oci;

import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.RuntimeFailure;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Linux capabilities.
final class Capabilities {

    /// All capabilities in the order of their numbers.
    static final List<String> ALL =
            List.of(
                    "CHOWN",
                    "DAC_OVERRIDE",
                    "DAC_READ_SEARCH",
                    "FOWNER",
                    "FSETID",
                    "KILL",
                    "SETGID",
                    "SETUID",
                    "SETPCAP",
                    "LINUX_IMMUTABLE",
                    "NET_BIND_SERVICE",
                    "NET_BROADCAST",
                    "NET_ADMIN",
                    "NET_RAW",
                    "IPC_LOCK",
                    "IPC_OWNER",
                    "SYS_MODULE",
                    "SYS_RAWIO",
                    "SYS_CHROOT",
                    "SYS_PTRACE",
                    "SYS_PACCT",
                    "SYS_ADMIN",
                    "SYS_BOOT",
                    "SYS_NICE",
                    "SYS_RESOURCE",
                    "SYS_TIME",
                    "SYS_TTY_CONFIG",
                    "MKNOD",
                    "LEASE",
                    "AUDIT_WRITE",
                    "AUDIT_CONTROL",
                    "SETFCAP",
                    "MAC_OVERRIDE",
                    "MAC_ADMIN",
                    "SYSLOG",
                    "WAKE_ALARM",
                    "BLOCK_SUSPEND",
                    "AUDIT_READ",
                    "PERFMON",
                    "BPF",
                    "CHECKPOINT_RESTORE");

    /// Default capabilities of containers, as in containerd.
    private static final List<String> DEFAULT =
            List.of(
                    "CHOWN",
                    "DAC_OVERRIDE",
                    "FSETID",
                    "FOWNER",
                    "MKNOD",
                    "NET_RAW",
                    "SETGID",
                    "SETUID",
                    "SETFCAP",
                    "SETPCAP",
                    "NET_BIND_SERVICE",
                    "SYS_CHROOT",
                    "KILL",
                    "AUDIT_WRITE");

    private static final String ALL_KEYWORD = "ALL";

    private Capabilities() {}

    /// The capabilities of a container, with `CAP_`.
    ///
    /// @param available capabilities of this process; a privileged container has no more either
    static List<String> of(Security security, Set<String> available) throws RuntimeFailure {
        var dropped = names(security.droppedCapabilities());
        var added = names(security.addedCapabilities());
        var all = new LinkedHashSet<>(security.isPrivileged() ? ALL : DEFAULT);
        if (dropped.contains(ALL_KEYWORD)) {
            all.clear();
        }
        if (added.contains(ALL_KEYWORD)) {
            all.addAll(ALL);
        }
        all.removeAll(dropped);
        added.stream().filter(one -> !one.equals(ALL_KEYWORD)).forEach(all::add);
        return ALL.stream()
                .filter(all::contains)
                .filter(available::contains)
                .map(name -> "CAP_" + name)
                .toList();
    }

    private static Set<String> names(List<String> given) throws RuntimeFailure {
        var names = new LinkedHashSet<String>();
        for (var one : given) {
            var name = one.toUpperCase(Locale.ROOT);
            var plain = name.startsWith("CAP_") ? name.substring(4) : name;
            if (!plain.equals(ALL_KEYWORD) && !ALL.contains(plain)) {
                throw new RuntimeFailure(
                        "unknown capability \"%s\"; use a name such as NET_ADMIN".formatted(one));
            }
            names.add(plain);
        }
        return names;
    }
}
