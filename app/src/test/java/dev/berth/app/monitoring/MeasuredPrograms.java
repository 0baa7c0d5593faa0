package dev.berth.app.monitoring;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.control.ControlPlane;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.close.CloseStack;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// API server, scheduler and controllers in this process with one registry each, connected by
/// HTTPS.
final class MeasuredPrograms implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String NAMESPACE = "default";

    final MetricsRegistry ofServer = MetricsRegistry.measuring();
    final MetricsRegistry ofScheduler = MetricsRegistry.measuring();
    final MetricsRegistry ofControllers = MetricsRegistry.measuring();
    final ApiServer server;

    private final Path directory;
    private final CloseStack parts = new CloseStack();
    private final Cluster cluster;

    MeasuredPrograms(Path directory) {
        this.directory = directory;
        this.server =
                parts.push(
                        ApiServer.start(
                                ServerSettings.in(directory)
                                        .withStore(new StoreChoice.Memory())
                                        .withAddress("127.0.0.1", 0)
                                        .withMetrics(ofServer)));
        this.cluster = connect(MetricsRegistry.off());
        var clock = Clock.systemUTC();
        var controllers =
                parts.push(
                        new ControlPlane(
                                connect(ofControllers),
                                clock,
                                ControlPlane.Options.defaults(FeatureGates.defaults())
                                        .withMetrics(ofControllers)));
        controllers.start();
        var scheduler =
                parts.push(
                        new Scheduler(
                                connect(ofScheduler),
                                clock,
                                SchedulerOptions.defaults().withMetrics(ofScheduler),
                                (_, _) -> {}));
        scheduler.start();
    }

    Cluster connect(MetricsRegistry metrics) {
        var environment = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        var access =
                ClusterAccess.find(environment, Optional.of(server.kubeconfig()), Optional.empty());
        return parts.push(
                new HttpCluster(access, ClientOptions.of("test", "0").withMetrics(metrics)));
    }

    void create(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException("not YAML: " + yaml);
        }
        for (var document : documents) {
            create((JsonObject) document.root());
        }
    }

    private void create(JsonObject object) {
        var kind =
                Kinds.byApiVersionAndKind(object.text("apiVersion"), object.text("kind"))
                        .orElseThrow();
        var path = ResourcePath.of(kind);
        var result =
                cluster.send(Request.Create.of(path, kind.isNamespaced() ? NAMESPACE : "", object));
        if (!(result instanceof RequestResult.Done(var made))) {
            throw new IllegalStateException(result.message());
        }
        if (kind == Kinds.NODE) {
            var name = object.objectOrEmpty("metadata").text("name");
            var withStatus = made.with("status", object.objectOrEmpty("status"));
            cluster.send(new Request.Update(path, "", name, "status", withStatus));
        }
    }

    void awaitBound(String pod) throws InterruptedException {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        var get = new Request.Get(ResourcePath.of(Kinds.POD), NAMESPACE, pod);
        while (!(cluster.send(get) instanceof RequestResult.Done(var object)
                && !object.objectOrEmpty("spec").text("nodeName").isEmpty())) {
            if (System.nanoTime() > end) {
                throw new AssertionError("pod " + pod + " is not bound");
            }
            Thread.sleep(10);
        }
    }

    @Override
    public void close() {
        parts.closeOrThrow("the programs did not stop");
    }
}
