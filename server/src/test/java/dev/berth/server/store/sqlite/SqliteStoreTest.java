package dev.berth.server.store.sqlite;

import dev.berth.server.store.Store;
import dev.berth.server.store.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends StoreContract {

    @TempDir private Path directory;

    @Override
    protected Store open() {
        return SqliteStore.open(directory.resolve(SqliteStore.FILE));
    }
}
