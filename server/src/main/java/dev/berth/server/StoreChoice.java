package dev.berth.server;

import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.Store;
import dev.berth.server.store.etcd.EtcdAccess;
import dev.berth.server.store.etcd.EtcdStore;
import dev.berth.server.store.sqlite.SqliteStore;
import java.nio.file.Path;

/// The store of a server.
public sealed interface StoreChoice {

    /// In one file in the server's directory.
    record Sqlite() implements StoreChoice {}

    /// In an etcd cluster.
    record Etcd(EtcdAccess access) implements StoreChoice {}

    /// In memory: objects are lost when the server stops.
    record Memory() implements StoreChoice {}

    /// Opens the store.
    default Store open(Path directory) {
        return switch (this) {
            case Sqlite _ -> SqliteStore.open(directory.resolve(SqliteStore.FILE));
            case Etcd(var access) -> EtcdStore.open(access);
            case Memory _ -> new MemoryStore();
        };
    }
}
