package dev.berth.node.runtime;

import java.util.List;

/// Masked and read-only paths of `/proc` and `/sys`, as in Kubernetes for `procMount: Default`. CRI
/// runtimes mask only the paths they are given.
public final class ProcPaths {

    public static final List<String> MASKED =
            List.of(
                    "/proc/acpi",
                    "/proc/asound",
                    "/proc/kcore",
                    "/proc/keys",
                    "/proc/latency_stats",
                    "/proc/timer_list",
                    "/proc/timer_stats",
                    "/proc/sched_debug",
                    "/proc/scsi",
                    "/sys/firmware",
                    "/sys/devices/virtual/powercap");

    public static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    private ProcPaths() {}
}
