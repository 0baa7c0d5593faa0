package dev.berth.app.simulation;

import dev.berth.app.embedded.EmbeddedCluster;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.KubernetesObject;
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

/// A cluster as one component sees it from afar: writes fail or are not answered, others change
/// what is about to be written, and news arrive when the simulation lets them.
final class FaultyCluster implements Cluster {

    private final String name;
    private final World world;
    private final EmbeddedCluster real;
    private final Chance chance;
    private final Codec codec = new Codec();
    private final List<Feed<?>> feeds = new ArrayList<>();
    private Faultiness faults;
    private int writesUntilCrash = -1;
    private boolean isCrashed;

    FaultyCluster(String name, World world, Chance chance, Faultiness faults) {
        this.name = name;
        this.world = world;
        this.real = world.connect(name);
        this.chance = chance;
        this.faults = faults;
    }

    void setFaults(Faultiness changed) {
        faults = changed;
        writesUntilCrash = -1;
    }

    /// Has the component crash at one of the next writes.
    void crashAfter(int writes) {
        writesUntilCrash = writes;
    }

    /// Whether the component has crashed: it may have caught the [Crash], but sends nothing more.
    boolean isCrashed() {
        return isCrashed;
    }

    private Crash crash() {
        isCrashed = true;
        return new Crash();
    }

    List<Feed<?>> feeds() {
        return feeds;
    }

    @Override
    public RequestResult send(Request request) {
        if (isCrashed) {
            throw new Crash();
        }
        if (request.address().equals(ResourcePath.EVENTS)
                || (request.address().equals(ResourcePath.LEASES) && !world.beats)) {
            // Nobody reads them here.
            return new RequestResult.Done(JsonObject.EMPTY);
        }
        if (request instanceof Request.Get) {
            return chance.oneIn(faults.unread())
                    ? new RequestResult.Unavailable("lost")
                    : real.send(request);
        }
        var crashes = writesUntilCrash == 0;
        writesUntilCrash--;
        if (crashes && chance.oneIn(2)) {
            world.trace.add("%s crashes before %s".formatted(name, Words.of(request)));
            throw crash();
        }
        if (chance.oneIn(faults.refused())) {
            world.trace.add("%s %s not done".formatted(name, Words.of(request)));
            return new RequestResult.Unavailable("not done");
        }
        if (chance.oneIn(faults.meddled())) {
            meddle(request);
        }
        var outcome = real.send(request);
        world.trace.add("%s %s: %s".formatted(name, Words.of(request), Words.of(outcome)));
        if (crashes) {
            world.trace.add("%s crashes".formatted(name));
            throw crash();
        }
        if (chance.oneIn(faults.unanswered())) {
            world.trace.add("%s gets no answer".formatted(name));
            return new RequestResult.Unavailable("no answer");
        }
        return outcome;
    }

    /// Somebody else changes what is about to be written.
    private void meddle(Request request) {
        if (request instanceof Request.Update update) {
            var note =
                    JsonObject.of(
                            "metadata",
                            JsonObject.of(
                                    "annotations",
                                    JsonObject.of(
                                            "example.com/note",
                                            Json.of(Integer.toString(chance.below(1000))))));
            world.trace.add("somebody changes %s".formatted(update.name()));
            world.send(
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
                new Feed<>(
                        world,
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
                new Feed<>(
                        world,
                        resource.collection(),
                        handler,
                        entry ->
                                resource.fromInternal(
                                        address.version(), StoredObjects.tree(entry))));
    }

    private Feed<?> add(Feed<?> feed) {
        feeds.add(feed);
        return feed;
    }

    private Resource resource(ResourcePath address) {
        return world.server
                .registry()
                .resources()
                .byPath(address.group(), address.version(), address.plural())
                .orElseThrow();
    }

    @Override
    public void close() {
        feeds.clear();
    }
}
