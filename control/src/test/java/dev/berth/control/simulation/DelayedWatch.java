package dev.berth.control.simulation;

import dev.berth.client.Cluster;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import java.util.ArrayList;
import java.util.function.Function;

/// A watch of one kind whose events are delivered when the simulation decides.
final class DelayedWatch<T> implements Cluster.Subscription {

    private final SimulationEnvironment environment;
    private final String collection;
    private final Cluster.EventHandler<T> handler;
    private final Function<Entry, T> read;
    private boolean hasListed;
    private boolean isClosed;
    private int delivered;

    DelayedWatch(
            SimulationEnvironment environment,
            String collection,
            Cluster.EventHandler<T> handler,
            Function<Entry, T> read) {
        this.environment = environment;
        this.collection = collection;
        this.handler = handler;
        this.read = read;
    }

    boolean isBehind() {
        return !isClosed && (!hasListed || delivered < environment.changesOf(collection).size());
    }

    /// Delivers the next changes, or the list if there was none yet.
    void deliver(int limit) {
        if (!hasListed) {
            list();
            return;
        }
        var changes = environment.changesOf(collection);
        handler.batch(() -> {
            for (var i = 0; i < limit && !isClosed && delivered < changes.size(); i++) {
                deliver(changes.get(delivered++));
            }
        });
    }

    private void deliver(Change change) {
        if (change.type() == Change.Type.DELETED) {
            handler.remove(read.apply(change.previous().orElseThrow()));
        } else {
            handler.put(read.apply(change.entry()));
        }
    }

    /// The watch was lost: lists again; changes in between are never delivered.
    void list() {
        var page =
                (ListResult.Page)
                        environment
                                .server
                                .registry()
                                .store()
                                .list(CollectionScope.all(collection), 0, "", 0);
        var objects = new ArrayList<T>();
        page.entries().forEach(entry -> objects.add(read.apply(entry)));
        delivered = environment.changesOf(collection).size();
        hasListed = true;
        handler.replaceAll(objects);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
