package dev.berth.app.monitoring;

import dev.berth.metrics.MetricFamily;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.metrics.ProcessMetrics;
import dev.berth.node.agent.ClaimPreparer;
import dev.berth.node.agent.PluginWatcher;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.Driver;
import dev.berth.node.driver.DriverHost;
import dev.berth.node.driver.DriverOptions;
import dev.berth.node.driver.Parameters;
import dev.berth.node.driver.PrepareResult;
import dev.berth.node.driver.PreparedClaim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The metrics that each program registers.
final class ProgramRegistries {

    /// A driver that does nothing.
    private static final class IdleDriver implements Driver<Boolean> {
        @Override
        public Parameters<Boolean> parameters() {
            return Parameters.of("example.com/v1", "None", _ -> true, true);
        }

        @Override
        public PrepareResult prepare(ClaimAssignment<Boolean> claim) {
            return PrepareResult.of(claim, _ -> ContainerEdits.NONE);
        }

        @Override
        public void unprepare(PreparedClaim claim) {}
    }

    private ProgramRegistries() {}

    /// The metrics of each program, by its name in the documentation.
    static Map<String, List<MetricFamily>> families(Path directory) throws Exception {
        var families = new LinkedHashMap<String, List<MetricFamily>>();
        try (var programs = new MeasuredPrograms(Files.createDirectory(directory.resolve("s")))) {
            ProcessMetrics.register(programs.ofScheduler);
            ProcessMetrics.register(programs.ofControllers);
            families.put("server", programs.ofServer.families());
            families.put("scheduler", programs.ofScheduler.families());
            families.put("controllers", programs.ofControllers.families());
            families.put("node", node(programs, directory));
            families.put("driver", driver(programs, directory));
        }
        return families;
    }

    private static List<MetricFamily> node(MeasuredPrograms programs, Path directory)
            throws Exception {
        var registry = MetricsRegistry.measuring();
        ProcessMetrics.register(registry);
        var plugins = Files.createDirectory(directory.resolve("p"));
        try (var watcher = new PluginWatcher(plugins)) {
            new ClaimPreparer(programs.connect(registry), watcher, directory, registry);
        }
        return registry.families();
    }

    private static List<MetricFamily> driver(MeasuredPrograms programs, Path directory)
            throws Exception {
        var registry = MetricsRegistry.measuring();
        ProcessMetrics.register(registry);
        var options =
                DriverOptions.of("gpu.example.com", "a")
                        .withDirectories(
                                directory.resolve("r"),
                                directory.resolve("d"),
                                directory.resolve("c"))
                        .withProblems(_ -> {})
                        .withMetrics(registry);
        var cluster = programs.connect(registry);
        try (var _ = DriverHost.start(options, cluster, new IdleDriver())) {
            return registry.families();
        }
    }
}
