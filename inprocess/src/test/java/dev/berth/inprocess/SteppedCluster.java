package dev.berth.inprocess;

import dev.berth.client.ForwardingCluster;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import dev.berth.server.SteppedServer;
import dev.berth.server.access.User;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.ListResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A cluster on a server without threads, for tests that decide when events arrive: watches deliver
/// their events, and the controllers of the server run, when [#step] is called. Used by one thread.
public final class SteppedCluster extends ForwardingCluster {

    private final SteppedServer server;
    private final EmbeddedCluster requests;
    private final List<SteppedWatch> watches = new CopyOnWriteArrayList<>();

    public SteppedCluster(SteppedServer server, String user) {
        this(server, connect(server, user));
    }

    private SteppedCluster(SteppedServer server, EmbeddedCluster requests) {
        super(requests);
        this.server = server;
        this.requests = requests;
    }

    private static EmbeddedCluster connect(SteppedServer server, String user) {
        return new EmbeddedCluster(
                server.inProcess(), server.registry(), User.of(user, User.MASTERS), user);
    }

    /// Processes all changes so far: on the server, and in the handlers of all watches. False when
    /// there were none.
    public boolean step() {
        var hasWorked = false;
        while (server.step()) {
            hasWorked = true;
        }
        for (var watch : watches) {
            hasWorked |= watch.deliver();
        }
        return hasWorked;
    }

    @Override
    public <T extends KubernetesObject> Subscription watch(
            Kind<T> kind, String selector, EventHandler<T> handler) {
        return add(ResourcePath.of(kind), requests.decoding(kind, selector, handler));
    }

    @Override
    public Subscription watch(
            ResourcePath path, String selector, EventHandler<JsonObject> handler) {
        return add(path, requests.decoding(path, selector, handler));
    }

    private Subscription add(ResourcePath path, StoreReflector.Handler<?> handler) {
        var watch = new SteppedWatch(requests.resource(path).collection(), handler);
        watches.add(watch);
        return watch;
    }

    private final class SteppedWatch implements Subscription {

        private final String collection;
        private final StoreReflector.Handler<?> handler;
        private boolean hasListed;
        private int delivered;

        private SteppedWatch(String collection, StoreReflector.Handler<?> handler) {
            this.collection = collection;
            this.handler = handler;
        }

        private boolean deliver() {
            var all = server.changes();
            var changes = new ArrayList<Change>();
            for (; delivered < all.size(); delivered++) {
                if (all.get(delivered).entry().key().collection().equals(collection)) {
                    changes.add(all.get(delivered));
                }
            }
            if (!hasListed) {
                hasListed = true;
                var scope = CollectionScope.all(collection);
                handler.all((ListResult.Page) server.registry().store().list(scope, 0, "", 0));
                return true;
            }
            if (!changes.isEmpty()) {
                handler.changes(changes);
            }
            return !changes.isEmpty();
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }
}
