package dev.berth.app.simulation;

import dev.berth.client.Cluster;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import java.util.ArrayList;
import java.util.function.Function;

/// News of one kind for one follower, as late as the simulation wants.
final class Feed<T> implements Cluster.Following {

    private final World world;
    private final String collection;
    private final Cluster.Follower<T> follower;
    private final Function<Entry, T> read;
    private boolean hasListed;
    private boolean isClosed;
    private int told;

    Feed(World world, String collection, Cluster.Follower<T> follower, Function<Entry, T> read) {
        this.world = world;
        this.collection = collection;
        this.follower = follower;
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
        follower.together(() -> {
            for (var i = 0; i < most && !isClosed && told < changes.size(); i++) {
                tell(changes.get(told++));
            }
        });
    }

    private void tell(Change change) {
        if (change.type() == Change.Type.DELETED) {
            follower.remove(read.apply(change.previous().orElseThrow()));
        } else {
            follower.put(read.apply(change.entry()));
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
        follower.replaceAll(objects);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
