package dev.berth.control.simulation;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.api.meta.KubernetesObject;
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

/// The API server of a simulation, run without threads, and its clock.
final class SimulationEnvironment implements AutoCloseable {

    static final String NAMESPACE = "default";

    /// The defaults, and all gates of controllers.
    static final FeatureGates GATES =
            ((FeatureGates.Setting.Accepted)
                            FeatureGates.defaults().with(List.of("DRAResourcePoolStatus=true")))
                    .gates();

    final VirtualClock clock = new VirtualClock();
    final Trace trace = new Trace(clock);
    final SteppedServer server;

    /// Whether node heartbeats are monitored.
    final boolean heartbeats;

    private final EmbeddedCluster direct;
    private final Codec codec = new Codec();
    private final Map<String, List<Change>> byCollection = new HashMap<>();
    private int sorted;

    SimulationEnvironment(Path directory, SimulationRandom random, boolean heartbeats) {
        this.heartbeats = heartbeats;
        server =
                new SteppedServer(
                        ServerSettings.in(directory)
                                .withGates(GATES)
                                .withClock(clock)
                                .allowingDoubleAllocation(),
                        ids(random));
        direct = connect("user");
    }

    private static IdSource ids(SimulationRandom random) {
        return new IdSource() {
            @Override
            public String uid() {
                return random.uuid();
            }

            @Override
            public String suffix() {
                return "%05x".formatted(random.nextInt(1 << 20));
            }
        };
    }

    EmbeddedCluster connect(String name) {
        return new EmbeddedCluster(
                server.inProcess(), server.registry(), User.of(name, User.MASTERS), name);
    }

    /// Sends a request of a user, without faults.
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

    /// All stored objects of a kind.
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
