package dev.berth.node.driver;

import dev.berth.node.cdi.ContainerEdits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A driver program that logs its calls to a file and halts at a given point, as if it were killed.
final class HaltingDriver implements Driver<Parameters.None> {

    private final Path log;
    private final String haltAt;

    private HaltingDriver(Path log, String haltAt) {
        this.log = log;
        this.haltAt = haltAt;
    }

    /// Arguments: the log file, and the point at which to halt.
    public static void main(String[] arguments) throws Exception {
        var options = DriverOptions.fromEnvironment(DriverRig.DRIVER, System.getenv());
        var driver = new HaltingDriver(Path.of(arguments[0]), arguments[1]);
        try (var cluster = options.connect();
                var host = DriverHost.start(options, cluster, driver)) {
            host.serve();
        }
    }

    @Override
    public Parameters<Parameters.None> parameters() {
        return Parameters.NONE;
    }

    @Override
    public PrepareResult prepare(ClaimAssignment<Parameters.None> claim) throws IOException {
        pass("prepare begins");
        pass("prepare ends");
        return PrepareResult.of(
                claim, device -> ContainerEdits.NONE.withEnv("DEVICE", device.name()));
    }

    @Override
    public void unprepare(PreparedClaim claim) throws IOException {
        pass("unprepare begins");
        pass("unprepare ends");
    }

    private void pass(String point) throws IOException {
        Files.writeString(log, point + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (haltAt.equals(point)) {
            Runtime.getRuntime().halt(1);
        }
    }
}
