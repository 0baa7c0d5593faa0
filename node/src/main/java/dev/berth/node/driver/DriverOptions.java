package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.node.cdi.CdiDirectory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/// Configuration of a driver: its name, its node and the directories of the kubelet.
///
/// @param driver name of the driver, such as `gpu.example.com`
/// @param node name of the Node
/// @param registry the kubelet's plugin registration directory
/// @param data directory of the driver's socket and claim records
/// @param cdi directory of CDI specs
/// @param instance distinguishes instances of one driver during a rolling update: the UID of the
///   pod; empty without rolling updates
/// @param hasHealth true if the driver reports device health
/// @param shutdownTimeout how long calls in flight may take when the driver stops
/// @param problems receives problems outside of calls; by default they are printed on standard
///   error
/// @param metrics registry of the process
public record DriverOptions(
        String driver,
        String node,
        Path registry,
        Path data,
        Path cdi,
        Optional<String> instance,
        boolean hasHealth,
        Duration shutdownTimeout,
        Clock clock,
        Consumer<DriverProblem> problems,
        MetricsRegistry metrics) {

    private static final String KUBELET = "/var/lib/kubelet";
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    /// Options with the default directories of kubelet and CDI.
    public static DriverOptions of(String driver, String node) {
        return at(driver, node, Path.of(KUBELET), CdiDirectory.DYNAMIC);
    }

    private static DriverOptions at(String driver, String node, Path kubelet, Path cdi) {
        return new DriverOptions(
                driver,
                node,
                kubelet.resolve("plugins_registry"),
                kubelet.resolve("plugins").resolve(driver),
                cdi,
                Optional.empty(),
                false,
                SHUTDOWN_TIMEOUT,
                Clock.systemUTC(),
                problem -> StderrReporter.print(driver, problem.message()),
                MetricsRegistry.ofProcess());
    }

    /// Options from the environment of a pod: `NODE_NAME`, and optionally `POD_UID`, which enables
    /// rolling updates without a gap, `KUBELET_ROOT` and `CDI_ROOT`.
    ///
    /// @throws DriverException when `NODE_NAME` is not set
    public static DriverOptions fromEnvironment(String driver, Map<String, String> environment)
            throws DriverException {
        var node = environment.getOrDefault("NODE_NAME", "");
        if (node.isEmpty()) {
            throw new DriverException(
                    "NODE_NAME is not set; set it to the name of the Node on which the driver runs"
                            + " (in a pod by fieldRef spec.nodeName)");
        }
        var cdi = environment.getOrDefault("CDI_ROOT", CdiDirectory.DYNAMIC.toString());
        var kubelet = environment.getOrDefault("KUBELET_ROOT", KUBELET);
        var options = at(driver, node, Path.of(kubelet), Path.of(cdi));
        var instance = environment.getOrDefault("POD_UID", "");
        return instance.isEmpty() ? options : options.withInstance(instance);
    }

    /// Connects to the cluster of the environment, by the rules of `kubectl` and of in-cluster
    /// clients.
    public Cluster connect() {
        var access =
                ClusterAccess.find(ProgramEnvironment.system(), Optional.empty(), Optional.empty());
        return new HttpCluster(access, ClientOptions.of(driver, "1").withMetrics(metrics));
    }

    public DriverOptions withDirectories(Path newRegistry, Path newData, Path newCdi) {
        return with(copy -> {
            copy.registry = newRegistry;
            copy.data = newData;
            copy.cdi = newCdi;
        });
    }

    public DriverOptions withInstance(String newInstance) {
        return with(copy -> copy.instance = Optional.of(newInstance));
    }

    /// Enables health reporting, see [DriverHost#reportHealth].
    public DriverOptions withHealth() {
        return with(copy -> copy.hasHealth = true);
    }

    public DriverOptions withProblems(Consumer<DriverProblem> newProblems) {
        return with(copy -> copy.problems = newProblems);
    }

    /// Measures in a registry that other parts of the process share.
    public DriverOptions withMetrics(MetricsRegistry newMetrics) {
        return with(copy -> copy.metrics = newMetrics);
    }

    /// Logs problems by SLF4J instead of printing them on standard error.
    public DriverOptions withLoggedProblems() {
        var log = LoggerFactory.getLogger(Driver.class);
        return withProblems(problem -> log.warn("{}: {}", driver, problem.message()));
    }

    private DriverOptions with(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.build();
    }

    /// The components by name, for copies with changes.
    private static final class Copy {
        private String driver;
        private String node;
        private Path registry;
        private Path data;
        private Path cdi;
        private Optional<String> instance;
        private boolean hasHealth;
        private Duration shutdownTimeout;
        private Clock clock;
        private Consumer<DriverProblem> problems;
        private MetricsRegistry metrics;

        Copy(DriverOptions from) {
            driver = from.driver;
            node = from.node;
            registry = from.registry;
            data = from.data;
            cdi = from.cdi;
            instance = from.instance;
            hasHealth = from.hasHealth;
            shutdownTimeout = from.shutdownTimeout;
            clock = from.clock;
            problems = from.problems;
            metrics = from.metrics;
        }

        DriverOptions build() {
            return new DriverOptions(
                    driver,
                    node,
                    registry,
                    data,
                    cdi,
                    instance,
                    hasHealth,
                    shutdownTimeout,
                    clock,
                    problems,
                    metrics);
        }
    }
}
