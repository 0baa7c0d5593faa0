package dev.berth.control.simulation;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.ServedObjects;
import dev.berth.server.registry.StoredObjects;
import java.util.ArrayList;
import java.util.List;

/// The cluster as one component sees it: writes fail or their responses are lost, other clients
/// change objects before an update, and watch events arrive when the simulation delivers them.
final class FaultyCluster implements Cluster {

    private final String name;
    private final SimulationEnvironment environment;
    private final EmbeddedCluster real;
    private final SimulationRandom random;
    private final Codec codec = new Codec();
    private final List<DelayedWatch<?>> watches = new ArrayList<>();
    private FaultRates faults;
    private int writesUntilCrash = -1;
    private CrashPoint crashPoint = CrashPoint.never();
    private boolean isCrashed;

    FaultyCluster(
            String name,
            SimulationEnvironment environment,
            SimulationRandom random,
            FaultRates faults) {
        this.name = name;
        this.environment = environment;
        this.real = environment.connect(name);
        this.random = random;
        this.faults = faults;
    }

    void setFaults(FaultRates changed) {
        faults = changed;
        writesUntilCrash = -1;
    }

    /// Makes the component crash at one of the next writes.
    void crashAfter(int writes) {
        writesUntilCrash = writes;
    }

    void setCrashPoint(CrashPoint point) {
        crashPoint = point;
    }

    /// Whether the component has crashed: it may have caught the [Crash], but sends no more
    /// requests.
    boolean isCrashed() {
        return isCrashed;
    }

    private Crash crash() {
        isCrashed = true;
        return new Crash();
    }

    List<DelayedWatch<?>> watches() {
        return watches;
    }

    @Override
    public RequestResult send(Request request) {
        if (isCrashed) {
            throw new Crash();
        }
        if (request.address().equals(ResourcePath.EVENTS)
                || (request.address().equals(ResourcePath.LEASES) && !environment.heartbeats)) {
            // Events are not read by any component here.
            return new RequestResult.Done(JsonObject.EMPTY);
        }
        if (request instanceof Request.Get) {
            return random.oneIn(faults.failedReads())
                    ? new RequestResult.Unavailable("lost")
                    : real.send(request);
        }
        var crashes = writesUntilCrash == 0;
        writesUntilCrash--;
        if ((crashes && random.oneIn(2)) || crashPoint.isBefore(request)) {
            environment.trace.add("%s crashes before %s".formatted(name, RequestText.of(request)));
            throw crash();
        }
        if (random.oneIn(faults.failedWrites())) {
            environment.trace.add("%s %s failed".formatted(name, RequestText.of(request)));
            return new RequestResult.Unavailable("write failed");
        }
        if (random.oneIn(faults.concurrentWrites())) {
            changeConcurrently(request);
        }
        var outcome = real.send(request);
        environment.trace.add(
                "%s %s: %s".formatted(name, RequestText.of(request), RequestText.of(outcome)));
        if (crashes || crashPoint.isAfter(request)) {
            environment.trace.add("%s crashes".formatted(name));
            throw crash();
        }
        if (random.oneIn(faults.lostResponses())) {
            environment.trace.add("%s loses the response".formatted(name));
            return new RequestResult.Unavailable("response lost");
        }
        return outcome;
    }

    /// Another client changes the object before the update.
    private void changeConcurrently(Request request) {
        if (request instanceof Request.Update update) {
            var note =
                    JsonObject.of(
                            "metadata",
                            JsonObject.of(
                                    "annotations",
                                    JsonObject.of(
                                            "example.com/note",
                                            Json.of(Integer.toString(random.nextInt(1000))))));
            environment.trace.add("another client changes %s".formatted(update.name()));
            environment.send(
                    new Request.Patch(
                            update.address(),
                            update.namespace(),
                            update.name(),
                            "",
                            Request.PatchType.MERGE,
                            note));
        }
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        var resource = resource(ResourcePath.of(kind));
        return add(
                new DelayedWatch<>(
                        environment,
                        resource.collection(),
                        handler,
                        entry -> {
                            var bytes = ServedObjects.bytes(resource, entry);
                            return switch (codec.readJson(
                                    kind, kind.version(), bytes, UnknownFieldPolicy.LENIENT)) {
                                case Decoded.Read<T> read -> read.object();
                                case Decoded.Refused<T> refused ->
                                        throw new IllegalStateException(refused.message());
                            };
                        }));
    }

    @Override
    public Subscription watch(
            ResourcePath address, String selector, EventHandler<JsonObject> handler) {
        var resource = resource(address);
        return add(
                new DelayedWatch<>(
                        environment,
                        resource.collection(),
                        handler,
                        entry ->
                                resource.fromInternal(
                                        address.version(), StoredObjects.tree(entry))));
    }

    private DelayedWatch<?> add(DelayedWatch<?> watch) {
        watches.add(watch);
        return watch;
    }

    private Resource resource(ResourcePath address) {
        return environment
                .server
                .registry()
                .resources()
                .byPath(address.group(), address.version(), address.plural())
                .orElseThrow();
    }

    @Override
    public void close() {
        watches.clear();
    }
}
