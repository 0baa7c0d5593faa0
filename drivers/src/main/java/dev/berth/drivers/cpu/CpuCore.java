package dev.berth.drivers.cpu;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// A processor core.
///
/// @param cpus the numbers of its hardware threads, which ascend
/// @param id which core of its socket
/// @param isolated whether the kernel was told to keep other work off it
/// @param type of core where a processor has several
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

    /// As Linux reads them.
    String cpuList() {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
