package dev.berth.app.simulation;

import dev.berth.client.Cluster;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import java.util.ArrayList;
import java.util.function.Function;

/// News of one kind for one event handler, as late as the simulation wants.
final class Feed<T> implements Cluster.Subscription {

    private final World world;
    private final String collection;
    private final Cluster.EventHandler<T> handler;
    private final Function<Entry, T> read;
    private boolean hasListed;
    private boolean isClosed;
    private int told;

    Feed(World world, String collection, Cluster.EventHandler<T> handler, Function<Entry, T> read) {
        this.world = world;
        this.collection = collection;
        this.handler = handler;
        this.read = read;
    }

    boolean isBehind() {
        return !isClosed && (!hasListed || told < world.changesOf(collection).size());
    }

    /// Tells the next few changes, or everything when nothing was told yet.
    void tell(int most) {
        if (!hasListed) {
            list();
            return;
        }
        var changes = world.changesOf(collection);
        handler.batch(() -> {
            for (var i = 0; i < most && !isClosed && told < changes.size(); i++) {
                tell(changes.get(told++));
            }
        });
    }

    private void tell(Change change) {
        if (change.type() == Change.Type.DELETED) {
            handler.remove(read.apply(change.previous().orElseThrow()));
        } else {
            handler.put(read.apply(change.entry()));
        }
    }

    /// The watch was lost: begins anew with what there is, and what was between is never told.
    void list() {
        var page =
                (ListResult.Page)
                        world.server
                                .registry()
                                .store()
                                .list(CollectionScope.all(collection), 0, "", 0);
        var objects = new ArrayList<T>();
        page.entries().forEach(entry -> objects.add(read.apply(entry)));
        told = world.changesOf(collection).size();
        hasListed = true;
        handler.replaceAll(objects);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
