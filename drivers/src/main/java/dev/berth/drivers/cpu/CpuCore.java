package dev.berth.drivers.cpu;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// A processor core.
///
/// @param cpus numbers of its hardware threads, ascending
/// @param id core number in its socket
/// @param isolated whether the core is isolated by the kernel parameter `isolcpus`
/// @param type of core, for hybrid processors
record CpuCore(
        List<Integer> cpus,
        OptionalInt id,
        OptionalInt socket,
        OptionalInt numaNode,
        OptionalInt cache,
        boolean isolated,
        Optional<String> type) {

    CpuCore {
        cpus = List.copyOf(cpus);
    }

    /// The device's name.
    String name() {
        return "core-" + cpus.getFirst();
    }

    /// The CPUs in the list format of Linux.
    String cpuList() {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
