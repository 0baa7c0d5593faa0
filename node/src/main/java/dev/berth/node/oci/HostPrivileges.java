package dev.berth.node.oci;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Boot ID, cgroup features and privileges of this process on this machine.
///
/// @param boot boot ID
/// @param isUnified true if all cgroups are of version 2
/// @param countsSwap true if memory and swap can be limited together
/// @param capabilities of the process, which it can give to containers, without `CAP_`
/// @param oomScore of the process itself
record HostPrivileges(
        String boot,
        boolean isUnified,
        boolean countsSwap,
        Set<String> capabilities,
        int oomScore) {

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    HostPrivileges {
        capabilities = Set.copyOf(capabilities);
    }

    static HostPrivileges read() throws IOException {
        var isUnified = Files.exists(CGROUPS.resolve("cgroup.controllers"));
        return new HostPrivileges(
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip(),
                isUnified,
                isUnified || Files.exists(CGROUPS.resolve("memory/memory.memsw.limit_in_bytes")),
                ownCapabilities(),
                Integer.parseInt(Files.readString(Path.of("/proc/self/oom_score_adj")).strip()));
    }

    private static Set<String> ownCapabilities() throws IOException {
        var mask = BigInteger.ZERO;
        for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("CapEff:")) {
                mask = new BigInteger(line.substring(line.indexOf(':') + 1).strip(), 16);
            }
        }
        var names = new LinkedHashSet<String>();
        for (var i = 0; i < Capabilities.ALL.size(); i++) {
            if (mask.testBit(i)) {
                names.add(Capabilities.ALL.get(i));
            }
        }
        return names;
    }

    /// The OOM score of a container: without CAP_SYS_RESOURCE it cannot be below that of the
    /// process.
    int allowedOomScore(int requested) {
        return capabilities.contains("SYS_RESOURCE") ? requested : Math.max(requested, oomScore);
    }

    /// The user ID of the process.
    static Optional<Integer> user() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid
                    ? Optional.of(uid)
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
