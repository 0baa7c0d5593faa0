package dev.berth.app.up;

import dev.berth.app.node.LocalNode;
import dev.berth.app.node.NodeSetupException;
import dev.berth.app.print.Progress;
import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.ClusterRecord.NodeGroup;
import dev.berth.app.running.ClusterRecord.Phase;
import dev.berth.app.running.ClusterRegistry;
import dev.berth.app.running.KubeconfigContext;
import dev.berth.app.ui.ServedDashboard;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.embedded.FleetReadiness;
import dev.berth.model.close.CloseStack;
import dev.berth.server.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/// The cluster of `berth up` in this process, from its start to its end.
final class ClusterProcess {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterProcess.class);

    /// Timeout for the registration of nodes; after it the start-up message is printed without
    /// them.
    private static final Duration REGISTRATION = Duration.ofMinutes(2);

    /// Timeout for readiness after the start-up message.
    private static final Duration BACKGROUND = Duration.ofMinutes(30);

    /// Options of the process.
    ///
    /// @param waitTime timeout for readiness of all nodes; empty to not wait
    /// @param kubeconfig file of the user that gets a context; empty for none
    /// @param hasDashboard whether the dashboard is served
    /// @param isDetached whether it is a background process
    record Options(
            ServerSettings settings,
            SchedulerOptions scheduling,
            FleetPlanner planner,
            LocalNodeChoice real,
            Optional<Duration> waitTime,
            Optional<Path> kubeconfig,
            boolean hasDashboard,
            boolean isDetached) {}

    private record Started(ClusterRecord record, FleetReadiness readiness) {}

    private final Options options;
    private final CommandLine command;
    private final Progress progress;
    private final CloseStack parts = new CloseStack();

    ClusterProcess(Options options, CommandLine command) {
        this.options = options;
        this.command = command;
        this.progress = new Progress(command.getErr());
    }

    /// Fails when a cluster runs with the data directory.
    static void refuseSecond(Path directory) {
        ClusterRecord.running(directory)
                .ifPresent(cluster -> {
                    throw new IllegalStateException(
                            ("a cluster already runs in %s (pid %d, %s); stop it with `berth"
                                            + " down`, or use another --data-dir")
                                    .formatted(
                                            cluster.directory(), cluster.pid(), cluster.server()));
                });
    }

    /// Runs the cluster until the process is stopped.
    int run() throws InterruptedException, NodeSetupException {
        refuseSecond(options.settings().directory());
        progress.show("starting the API server");
        var fleet = FleetOptions.defaults();
        var cluster =
                EmbeddedBerth.start(
                        EmbeddedOptions.of(options.settings())
                                .withScheduler(options.scheduling())
                                .withNodes(options.planner())
                                .withSimulation(
                                        options.real().isWanted()
                                                ? fleet.withPreferNoSchedule()
                                                : fleet));
        var stopped = new CountDownLatch(1);
        push(cluster);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            close();
                            stopped.countDown();
                        }));
        try {
            var started = start(cluster);
            announce(cluster, started.record);
            if (started.record.phase() == Phase.UP) {
                reportReady(started);
            }
        } catch (InterruptedException | NodeSetupException | RuntimeException e) {
            progress.clear();
            close();
            throw e;
        }
        stopped.await();
        return 0;
    }

    /// Starts the rest of the cluster and waits as long as the options say.
    private Started start(EmbeddedBerth cluster) throws InterruptedException, NodeSetupException {
        var record = record(cluster);
        record.write();
        var registry = ClusterRegistry.ofUser();
        registry.add(record.directory());
        pushBottom(() -> {
            record.delete();
            registry.remove(record.directory());
        });
        if (options.hasDashboard()) {
            push(
                    ServedDashboard.start(
                            cluster.cluster("berth-ui"), record.server(), record.directory()));
        }
        var withNode = withRealNode(record, cluster);
        var readiness = new FleetReadiness(cluster.cluster("berth-up"), cluster.plan());
        push(readiness);
        if (options.waitTime().isPresent()) {
            var timeout = options.waitTime().get();
            if (!readiness.awaitReady(timeout, text -> show(withNode, text))) {
                throw new IllegalStateException(
                        "the cluster is not ready after %d s: %s"
                                .formatted(timeout.toSeconds(), readiness.missing(true)));
            }
            return new Started(withNode.with(Phase.READY, ""), readiness);
        }
        if (!readiness.awaitRegistered(REGISTRATION, text -> show(withNode, text))) {
            LOG.warn("after {} s: {}", REGISTRATION.toSeconds(), readiness.missing(false));
        }
        return new Started(withNode.with(Phase.UP, ""), readiness);
    }

    private ClusterRecord record(EmbeddedBerth cluster) {
        var groups =
                cluster.plan().counts().entrySet().stream()
                        .map(one ->
                                new NodeGroup(
                                        one.getKey().name(),
                                        one.getValue(),
                                        one.getKey().description()))
                        .toList();
        return ClusterRecord.ofThisProcess(
                options.settings().directory(),
                cluster.server().uri().toString(),
                groups,
                Instant.now());
    }

    private ClusterRecord withRealNode(ClusterRecord record, EmbeddedBerth cluster)
            throws NodeSetupException, InterruptedException {
        if (options.real().isWanted()) {
            show(record, "starting the agent of this machine");
            LocalNode node = options.real().start(cluster, command);
            push(node);
            return record.withRealNode(node.agent().options().name());
        }
        var abandoned = options.real().abandon(cluster, Instant.now());
        abandoned.ifPresent(name -> {
            progress.clear();
            command.getErr()
                    .println(
                            ("berth: node %s has no agent any more and is not ready; `kubectl"
                                            + " delete node %s` removes it")
                                    .formatted(name, name));
        });
        return record;
    }

    private void show(ClusterRecord record, String text) {
        progress.show(text);
        if (options.isDetached()) {
            record.with(Phase.STARTING, text).write();
        }
    }

    /// Updates the record when the cluster is ready, in the background.
    private void reportReady(Started started) {
        var thread =
                Thread.ofVirtual()
                        .name("readiness")
                        .start(() -> {
                            try {
                                if (started.readiness.awaitReady(BACKGROUND, _ -> {})) {
                                    started.record.with(Phase.READY, "").write();
                                }
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            } finally {
                                started.readiness.close();
                            }
                        });
        push(() -> {
            thread.interrupt();
            thread.join();
        });
    }

    private void announce(EmbeddedBerth cluster, ClusterRecord record) {
        var context =
                options.kubeconfig()
                        .map(file ->
                                KubeconfigContext.write(
                                        file, record.directory(), cluster.server().kubeconfig()))
                        .orElse("");
        progress.clear();
        StartupMessage.print(record, context, options.isDetached(), command.getOut());
        record.write();
    }

    private synchronized void push(AutoCloseable part) {
        parts.push(part);
    }

    /// Adds a part that is stopped after all others.
    private synchronized void pushBottom(AutoCloseable part) {
        parts.pushBottom(part);
    }

    /// Stops all parts in reverse order.
    private synchronized void close() {
        parts.close(e -> LOG.warn("a part of the cluster did not stop: {}", e.getMessage()));
    }
}
