package dev.berth.app.bench.scheduling;

import dev.berth.app.embedded.EmbeddedCluster;
import dev.berth.client.Cluster;
import dev.berth.control.ControlPlane;
import dev.berth.control.Controller;
import dev.berth.control.schedule.AsyncEventRecorder;
import dev.berth.control.schedule.DurationHistogram;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.close.CloseStack;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.access.User;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumSet;

/// API server, controllers and scheduler in this process, with a durable store.
final class InProcessCluster implements AutoCloseable {

    private final CloseStack parts = new CloseStack();
    private final ApiServer server;
    private final Scheduler scheduler;

    InProcessCluster(Path directory, FeatureGates gates, SchedulerOptions options) {
        var clock = Clock.systemUTC();
        var metrics = MetricsRegistry.ofProcess();
        server =
                ApiServer.start(
                        ServerSettings.in(directory)
                                .withAddress("127.0.0.1", 0)
                                .withGates(gates)
                                .withMetrics(metrics));
        parts.push(server);
        // There are no kubelets, so the node lifecycle controller is left out.
        var controllers = EnumSet.allOf(Controller.class);
        controllers.remove(Controller.NODES);
        var plane =
                new ControlPlane(
                        ahead("berth-control"),
                        clock,
                        ControlPlane.Options.defaults(gates)
                                .with(controllers)
                                .withMetrics(metrics));
        parts.push(plane);
        plane.start();
        var view = ahead("berth-scheduler");
        var events = new AsyncEventRecorder(view, "berth-scheduler", clock);
        parts.push(events);
        var measured = options.withGates(gates).withMetrics(metrics);
        scheduler = new Scheduler(view, clock, measured, events);
        parts.push(scheduler);
        scheduler.start();
    }

    /// A client that sees only durable changes.
    Cluster cluster(String name) {
        return added(new EmbeddedCluster(server, User.of(name, User.MASTERS), name));
    }

    private Cluster ahead(String name) {
        return added(EmbeddedCluster.ahead(server, User.of(name, User.MASTERS), name));
    }

    private Cluster added(EmbeddedCluster cluster) {
        return parts.push(cluster);
    }

    /// Histogram of decision times.
    DurationHistogram decisions() {
        return scheduler.decisionTimes();
    }

    @Override
    public void close() {
        parts.closeOrThrow("could not stop");
    }
}
