package dev.berth.node.runtime;

import java.util.List;

/// The paths of `/proc` and `/sys` that containers do not see, or cannot write, as Kubernetes has
/// them for `procMount: Default`. Runtimes that speak CRI hide nothing that they are not told.
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
