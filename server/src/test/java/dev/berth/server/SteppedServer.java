package dev.berth.server;

import dev.berth.server.lifecycle.ServerControllers;
import dev.berth.server.operation.InProcessApi;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.Registry;
import dev.berth.server.store.Change;
import dev.berth.server.store.MemoryStore;
import java.util.List;

/// A server without threads and without a listener, for simulations: its controllers run when
/// [#step] is called. Responses are deterministic for the same requests at the same times. Used by
/// one thread.
public final class SteppedServer implements AutoCloseable {

    private final ChangeLogStore store = new ChangeLogStore(new MemoryStore());
    private final Registry registry;
    private final InProcessApi inProcess;
    private final ServerControllers controllers;
    private int processed;

    /// @param settings store and address are ignored
    public SteppedServer(ServerSettings settings, IdSource ids) {
        var assembly = new ServerAssembly(settings, store, ids);
        assembly.bootstrap();
        this.registry = assembly.registry();
        this.inProcess = assembly.inProcess();
        this.controllers = new ServerControllers(registry, "", assembly::on);
    }

    /// Processes the next change; false when all have been processed.
    public boolean step() {
        if (processed == store.changes().size()) {
            return false;
        }
        controllers.on(store.changes().get(processed++));
        return true;
    }

    /// All changes since the start.
    public List<Change> changes() {
        return store.changes();
    }

    public InProcessApi inProcess() {
        return inProcess;
    }

    public Registry registry() {
        return registry;
    }

    @Override
    public void close() {
        store.close();
    }
}
