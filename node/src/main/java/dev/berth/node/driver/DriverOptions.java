package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.node.cdi.CdiDirectory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/// What a driver needs to know of where it runs.
///
/// @param driver such as `gpu.example.com`
/// @param node the name of the Node
/// @param registry where kubelets look for the sockets of plugins
/// @param data where the driver keeps its socket and what it has prepared
/// @param cdi where its CDI documents go
/// @param instance tells this instance from others of the same driver, so that a new version can
///   start before the old one stops: the UID of the pod; empty when there is only one
/// @param hasHealth true when the driver tells how its devices are
/// @param stopPatience how long calls under way may take when the driver stops
/// @param problems receives problems outside of calls; by default they are printed on standard
///   error
public record DriverOptions(
        String driver,
        String node,
        Path registry,
        Path data,
        Path cdi,
        Optional<String> instance,
        boolean hasHealth,
        Duration stopPatience,
        Clock clock,
        Consumer<DriverProblem> problems) {

    private static final String KUBELET = "/var/lib/kubelet";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    /// With everything where kubelets expect it.
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
                STOP_PATIENCE,
                Clock.systemUTC(),
                problem -> StderrReporter.print(driver, problem.message()));
    }

    /// By what a pod's environment says: `NODE_NAME`; when they are there, `POD_UID`, which allows
    /// updates without a gap, `KUBELET_ROOT` and `CDI_ROOT`.
    ///
    /// @throws DriverException when there is no `NODE_NAME`
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

    /// The cluster that the surroundings mean, as for `kubectl` or any program in a pod.
    public Cluster connect() {
        var access =
                ClusterAccess.find(ProgramEnvironment.system(), Optional.empty(), Optional.empty());
        return new HttpCluster(access, ClientOptions.of(driver, "1"));
    }

    public DriverOptions withDirectories(Path newRegistry, Path newData, Path newCdi) {
        return new DriverOptions(
                driver,
                node,
                newRegistry,
                newData,
                newCdi,
                instance,
                hasHealth,
                stopPatience,
                clock,
                problems);
    }

    public DriverOptions withInstance(String newInstance) {
        return new DriverOptions(
                driver,
                node,
                registry,
                data,
                cdi,
                Optional.of(newInstance),
                hasHealth,
                stopPatience,
                clock,
                problems);
    }

    /// The driver will tell how its devices are.
    public DriverOptions withHealth() {
        return new DriverOptions(
                driver, node, registry, data, cdi, instance, true, stopPatience, clock, problems);
    }

    public DriverOptions withProblems(Consumer<DriverProblem> newProblems) {
        return new DriverOptions(
                driver,
                node,
                registry,
                data,
                cdi,
                instance,
                hasHealth,
                stopPatience,
                clock,
                newProblems);
    }

    /// Problems are logged by SLF4J rather than printed on standard error.
    public DriverOptions withLoggedProblems() {
        var log = LoggerFactory.getLogger(Driver.class);
        return withProblems(problem -> log.warn("{}: {}", driver, problem.message()));
    }
}
