package dev.berth.app.bench.placement;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.Controller;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.control.schedule.SchedulerOptions.Profile;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.codec.Kinds;
import dev.berth.model.file.TemporaryDirectory;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// API server, controllers and scheduler in this process, without kubelets. Pods are created one
/// after the other, each after the scheduler has decided about the one before.
final class LiveCluster implements ReplayTarget {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(1);

    /// A pod is unschedulable when no event has moved it back to the queue for this time: events of
    /// its claims may arrive after those of the pod.
    private static final Duration SETTLED = Duration.ofMillis(20);

    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private final TemporaryDirectory directory;
    private final EmbeddedBerth berth;
    private final Cluster cluster;
    private final Scheduler scheduler;

    LiveCluster(ArrivalTrace.Cluster objects, PlacementPolicy policy) throws IOException {
        this.directory = TemporaryDirectory.create("berth-bench");
        var options = EmbeddedOptions.in(directory.path());
        this.berth =
                EmbeddedBerth.start(
                        options.withServer(options.server().withGates(FeatureGates.all()))
                                .withScheduler(
                                        SchedulerOptions.defaults()
                                                .withoutExplanations()
                                                .withGates(FeatureGates.all())
                                                .withProfiles(
                                                        List.of(
                                                                new Profile(
                                                                        SchedulerOptions.NAME,
                                                                        policy))))
                                .withControllers(
                                        EnumSet.complementOf(EnumSet.of(Controller.NODES))));
        this.cluster = berth.cluster("berth-bench");
        this.scheduler = berth.scheduler().orElseThrow();
        create(
                NAMESPACES,
                "",
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Namespace"))
                        .with("metadata", JsonObject.of("name", Json.of(TraceObjects.NAMESPACE))));
        objects.classes().forEach(one -> create(ResourcePath.of(Kinds.DEVICE_CLASS), "", one));
        objects.slices().forEach(one -> create(ResourcePath.of(Kinds.RESOURCE_SLICE), "", one));
        objects.nodes().forEach(this::createNode);
    }

    /// The API server ignores the status of a new node.
    private void createNode(JsonObject node) {
        var address = ResourcePath.of(Kinds.NODE);
        var made = create(address, "", node);
        done(
                new Request.Update(
                        address,
                        "",
                        name(node),
                        "status",
                        made.with("status", node.objectOrEmpty("status"))));
    }

    private static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }

    private JsonObject create(ResourcePath address, String namespace, JsonObject object) {
        return done(Request.Create.of(address, namespace, object));
    }

    private JsonObject done(Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> object;
            case RequestResult other ->
                    throw new IllegalStateException(
                            "%s: %s".formatted(request.address().plural(), other.message()));
        };
    }

    @Override
    public Optional<Placed> arrive(Arrival arrival) throws InterruptedException {
        var before = scheduler.status().bound();
        arrival.claims().forEach(claim -> create(CLAIMS, TraceObjects.NAMESPACE, claim));
        var spec = arrival.pod().objectOrEmpty("spec");
        create(
                PODS,
                TraceObjects.NAMESPACE,
                arrival.pod()
                        .with("spec", spec.with("schedulerName", Json.of(SchedulerOptions.NAME))));
        await("a decision about " + arrival.name(), () -> isBound(before) || isUnschedulable());
        if (!isBound(before) && !staysUnschedulable()) {
            await("the binding of " + arrival.name(), () -> isBound(before));
        }
        if (isBound(before)) {
            return Optional.of(placed(arrival));
        }
        leave(arrival);
        return Optional.empty();
    }

    private boolean isBound(long before) {
        return scheduler.status().bound() > before;
    }

    private boolean isUnschedulable() {
        var queue = scheduler.status().queue();
        return queue.unschedulable() > 0 && queue.active() + queue.inFlight() == 0;
    }

    private boolean staysUnschedulable() throws InterruptedException {
        var decisions = scheduler.status().decisions();
        Thread.sleep(SETTLED);
        return isUnschedulable() && scheduler.status().decisions() == decisions;
    }

    private Placed placed(Arrival arrival) {
        var pod = find(PODS, arrival.name()).orElseThrow();
        var devices =
                arrival.claims().stream()
                        .flatMap(claim -> find(CLAIMS, name(claim)).stream())
                        .flatMap(LiveCluster::devices)
                        .toList();
        return new Placed(pod.objectOrEmpty("spec").text("nodeName"), devices);
    }

    private static Stream<DeviceId> devices(JsonObject claim) {
        return claim
                .objectOrEmpty("status")
                .objectOrEmpty("allocation")
                .objectOrEmpty("devices")
                .objects("results")
                .stream()
                .map(one -> new DeviceId(one.text("driver"), one.text("pool"), one.text("device")));
    }

    private Optional<JsonObject> find(ResourcePath address, String name) {
        return cluster.send(new Request.Get(address, TraceObjects.NAMESPACE, name))
                        instanceof RequestResult.Done(var object)
                ? Optional.of(object)
                : Optional.empty();
    }

    /// Deletes the pod and its claims, and waits until the claims are released.
    @Override
    public void leave(Arrival arrival) throws InterruptedException {
        delete(PODS, arrival.name());
        arrival.claims().forEach(claim -> delete(CLAIMS, name(claim)));
        await(
                "the end of " + arrival.name(),
                () ->
                        find(PODS, arrival.name()).isEmpty()
                                && arrival.claims().stream()
                                        .allMatch(claim -> find(CLAIMS, name(claim)).isEmpty())
                                && scheduler.status().queue().all() == 0);
        // Watch events of the deletions reach the scheduler after the API server answered.
        Thread.sleep(PAUSE);
    }

    private void delete(ResourcePath address, String name) {
        var now = OptionalLong.of(0);
        cluster.send(
                new Request.Delete(address, TraceObjects.NAMESPACE, name, Optional.empty(), now));
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "timed out after %d s: %s".formatted(TIMEOUT.toSeconds(), what));
            }
            Thread.sleep(PAUSE);
        }
    }

    @Override
    public void close() throws IOException {
        berth.close();
        directory.close();
    }
}
