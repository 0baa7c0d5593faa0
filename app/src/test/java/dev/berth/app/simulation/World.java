package dev.berth.app.simulation;

import dev.berth.app.embedded.EmbeddedCluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.admission.FeatureGates;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ServerSettings;
import dev.berth.server.SteppedServer;
import dev.berth.server.access.User;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The one truth of a simulation: a real server without threads, and its time.
final class World implements AutoCloseable {

    static final String NAMESPACE = "default";

    /// As they are by default, and everything that controllers do.
    static final FeatureGates GATES =
            ((FeatureGates.Setting.Accepted)
                            FeatureGates.defaults().with(List.of("DRAResourcePoolStatus=true")))
                    .gates();

    final VirtualClock clock = new VirtualClock();
    final Trace trace = new Trace(clock);
    final SteppedServer server;

    /// Whether anybody looks at the heartbeats of nodes.
    final boolean beats;

    private final EmbeddedCluster direct;
    private final Codec codec = new Codec();
    private final Map<String, List<Change>> byCollection = new HashMap<>();
    private int sorted;

    World(Path directory, Chance chance, boolean beats) {
        this.beats = beats;
        server =
                new SteppedServer(
                        ServerSettings.in(directory)
                                .withGates(GATES)
                                .withClock(clock)
                                .allowingDoubleAllocation(),
                        ids(chance));
        direct = connect("user");
    }

    private static IdSource ids(Chance chance) {
        return new IdSource() {
            @Override
            public String uid() {
                return chance.uuid();
            }

            @Override
            public String suffix() {
                return "%05x".formatted(chance.below(1 << 20));
            }
        };
    }

    EmbeddedCluster connect(String name) {
        return new EmbeddedCluster(
                server.inProcess(), server.registry(), User.of(name, User.MASTERS), name);
    }

    /// As people do it, who are not subject to faults.
    RequestResult send(Request request) {
        return direct.send(request);
    }

    /// All changes of a kind so far.
    List<Change> changesOf(String collection) {
        var changes = server.changes();
        for (; sorted < changes.size(); sorted++) {
            var change = changes.get(sorted);
            ofCollection(change.entry().key().collection()).add(change);
        }
        return ofCollection(collection);
    }

    private List<Change> ofCollection(String collection) {
        return byCollection.computeIfAbsent(collection, _ -> new ArrayList<>());
    }

    /// All objects of a kind, as they are stored.
    List<JsonObject> all(ResourcePath address) {
        var resource =
                server.registry()
                        .resources()
                        .byPath(address.group(), address.version(), address.plural())
                        .orElseThrow();
        return server.registry().objects().list(resource.collection(), "").stream()
                .map(tree -> resource.fromInternal(address.version(), tree))
                .toList();
    }

    <T extends KubernetesObject> List<T> read(Kind<T> kind) {
        return all(ResourcePath.of(kind)).stream()
                .map(tree ->
                        codec.readTree(kind, tree, UnknownFieldPolicy.LENIENT)
                                .value()
                                .orElseThrow())
                .toList();
    }

    static JsonObject tree(Change change) {
        return StoredObjects.tree(change.entry());
    }

    @Override
    public void close() {
        server.close();
    }
}
