package dev.berth.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// CPU, memory and file descriptors of this process, with the usual metric names of Prometheus
/// clients.
public final class ProcessMetrics {

    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMetrics() {}

    /// Registers the metrics, once for a process; values that the system does not have are left
    /// out.
    public static void register(MetricsRegistry registry) {
        registry.callbackCounter(
                        "process_cpu_seconds_total",
                        "Total user and system CPU time spent in seconds.")
                .setSource(ProcessMetrics::cpu);
        registry.gauge("process_resident_memory_bytes", "Resident memory size in bytes.")
                .setSource(sink -> residentBytes().ifPresent(bytes -> sink.add((double) bytes)));
        registry.gauge("process_heap_bytes", "Memory in use by objects.")
                .setSource(sink -> {
                    var runtime = Runtime.getRuntime();
                    sink.add((double) (runtime.totalMemory() - runtime.freeMemory()));
                });
        registry.gauge("process_open_fds", "Number of open file descriptors.")
                .setSource(ProcessMetrics::openFiles);
        registry.gauge(
                        "process_start_time_seconds",
                        "Start time of the process since unix epoch in seconds.")
                .setSource(sink ->
                        sink.add(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3));
    }

    private static void cpu(CallbackMetric.Sink sink) {
        var nanos =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                        .getProcessCpuTime();
        if (nanos >= 0) {
            sink.add(nanos / 1e9);
        }
    }

    private static void openFiles(CallbackMetric.Sink sink) {
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof UnixOperatingSystemMXBean system) {
            sink.add((double) system.getOpenFileDescriptorCount());
        }
    }

    /// Empty where the system does not have `/proc`.
    private static OptionalLong residentBytes() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst();
        } catch (IOException _) {
            return OptionalLong.empty();
        }
    }
}
