package dev.berth.app.bench.scheduling;

import dev.berth.app.bench.ProcessUsage;
import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.ClusterRegistry;
import dev.berth.app.running.DataDirectory;
import dev.berth.client.config.ClusterAccess;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// The processes of a cluster whose CPU is measured.
record MeasuredProcesses(ProcessUsage scheduler, ProcessUsage server) {

    /// The API server of a cluster: the named process, that of a cluster of `berth up` on this
    /// machine, or the process that the metrics of the server describe.
    static ProcessUsage server(Optional<Long> pid, ClusterAccess access) {
        return pid.or(() -> recorded(access.server()))
                .map(ProcessUsage::ofPid)
                .orElseGet(() -> ProcessUsage.ofMetrics(access));
    }

    private static Optional<Long> recorded(URI server) {
        return Stream.concat(
                        ClusterRecord.running(DataDirectory.usual()).stream(),
                        ClusterRegistry.ofUser().running().stream())
                .filter(cluster -> cluster.server().equals(server.toString()))
                .map(ClusterRecord::pid)
                .findFirst();
    }

    Reading read() {
        return new Reading(scheduler.cpuSeconds(), server.cpuSeconds());
    }

    /// CPU seconds of the processes at one moment.
    record Reading(OptionalDouble scheduler, OptionalDouble server) {

        /// CPU for each pod since an earlier reading.
        ShapeMeasurement.ProcessEffort since(Reading before, int pods) {
            return new ShapeMeasurement.ProcessEffort(
                    millis(before.scheduler, scheduler, pods), millis(before.server, server, pods));
        }

        private static OptionalDouble millis(OptionalDouble before, OptionalDouble now, int pods) {
            return before.isPresent() && now.isPresent() && pods > 0
                    ? OptionalDouble.of((now.getAsDouble() - before.getAsDouble()) * 1e3 / pods)
                    : OptionalDouble.empty();
        }
    }
}
