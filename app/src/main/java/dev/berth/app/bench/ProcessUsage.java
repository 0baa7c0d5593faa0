package dev.berth.app.bench;

import dev.berth.client.config.ClusterAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/// CPU time and resident memory of a process, where they can be read.
public interface ProcessUsage {

    /// Usage of an unknown process: no figures.
    ProcessUsage UNKNOWN =
            new ProcessUsage() {
                @Override
                public OptionalDouble cpuSeconds() {
                    return OptionalDouble.empty();
                }

                @Override
                public OptionalDouble residentMegabytes() {
                    return OptionalDouble.empty();
                }
            };

    /// User and system time of all threads since the start of the process.
    OptionalDouble cpuSeconds();

    OptionalDouble residentMegabytes();

    /// A process of this machine, by pid.
    static ProcessUsage ofPid(long pid) {
        return new OfPid(pid);
    }

    /// The process of an API server, by its `/metrics`. Without permission to read them there are
    /// no figures.
    static ProcessUsage ofMetrics(ClusterAccess access) {
        return ofMetrics(BenchTarget.of(access));
    }

    static ProcessUsage ofMetrics(BenchTarget access) {
        return new OfMetrics(access);
    }

    /// A process of this machine, by `/proc`, with a resolution of 10 ms on Linux.
    record OfPid(long pid) implements ProcessUsage {

        @Override
        public OptionalDouble cpuSeconds() {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .map(time -> OptionalDouble.of(time.toNanos() / 1e9))
                    .orElse(OptionalDouble.empty());
        }

        @Override
        public OptionalDouble residentMegabytes() {
            try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
                return lines.filter(line -> line.startsWith("VmRSS:"))
                        .mapToDouble(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0)
                        .findFirst();
            } catch (IOException _) {
                return OptionalDouble.empty();
            }
        }
    }

    /// The process of an API server by its metrics.
    record OfMetrics(BenchTarget access) implements ProcessUsage {

        @Override
        public OptionalDouble cpuSeconds() {
            return read("process_cpu_seconds_total");
        }

        @Override
        public OptionalDouble residentMegabytes() {
            var bytes = read("process_resident_memory_bytes");
            return bytes.isPresent()
                    ? OptionalDouble.of(bytes.getAsDouble() / (1024 * 1024))
                    : bytes;
        }

        private OptionalDouble read(String name) {
            try (var connection = BenchConnection.to(access)) {
                return connection.metric(name);
            } catch (IOException _) {
                return OptionalDouble.empty();
            }
        }
    }
}
