package dev.berth.server;

import dev.berth.server.http.InProcessApi;
import dev.berth.server.lifecycle.ServerControllers;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.Registry;
import dev.berth.server.store.Change;
import dev.berth.server.store.MemoryStore;
import java.util.List;

/// A server without threads and without an address, for simulations: what it does of its own accord
/// is done by whoever calls [#step]. The same requests at the same times get the same answers. Used
/// by one thread.
public final class SteppedServer implements AutoCloseable {

    private final ChangeLogStore store = new ChangeLogStore(new MemoryStore());
    private final Registry registry;
    private final InProcessApi door;
    private final ServerControllers housekeeping;
    private int lookedAfter;

    /// @param settings of which the store and the address do not matter
    public SteppedServer(ServerSettings settings, IdSource ids) {
        var assembly = new ServerAssembly(settings, store, ids);
        assembly.furnish();
        this.registry = assembly.registry();
        this.door = assembly.door();
        this.housekeeping = new ServerControllers(registry, "", assembly::on);
    }

    /// Looks after the next change that nobody has looked after; false when there is none.
    public boolean step() {
        if (lookedAfter == store.changes().size()) {
            return false;
        }
        housekeeping.on(store.changes().get(lookedAfter++));
        return true;
    }

    /// All that has ever happened, as far as it goes.
    public List<Change> changes() {
        return store.changes();
    }

    public InProcessApi door() {
        return door;
    }

    public Registry registry() {
        return registry;
    }

    @Override
    public void close() {
        store.close();
    }
}
