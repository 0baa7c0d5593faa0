package dev.berth.app.bench.scheduling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// CPU time of the JIT compiler threads. Its share of the whole shows how warm a measurement was.
final class CompilerTime {

    private static final Path THREADS = Path.of("/proc/self/task");

    /// Field of `/proc/PID/task/TID/stat`, counted after the thread name.
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final double MILLIS_PER_TICK = 10;

    private CompilerTime() {}

    /// CPU time in milliseconds; zero if the system does not report it.
    static double millis() {
        try (var threads = Files.list(THREADS)) {
            return threads.map(CompilerTime::stat)
                    .flatMap(Optional::stream)
                    .filter(stat -> stat.contains("(C1 Compiler") || stat.contains("(C2 Compiler"))
                    .mapToDouble(CompilerTime::millis)
                    .sum();
        } catch (IOException _) {
            return 0;
        }
    }

    private static Optional<String> stat(Path thread) {
        try {
            return Optional.of(Files.readString(thread.resolve("stat")));
        } catch (IOException _) {
            // The thread has ended meanwhile.
            return Optional.empty();
        }
    }

    private static double millis(String stat) {
        var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        var ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
        return ticks * MILLIS_PER_TICK;
    }
}
