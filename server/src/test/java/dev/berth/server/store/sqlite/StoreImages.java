package dev.berth.server.store.sqlite;

import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// The files of a store at the end of its process, deterministic for a seed, and the states that a
/// store opened from them may have.
final class StoreImages {

    /// How the process ended.
    enum End {
        /// Killed while writing; the last changes were not synced.
        KILLED,
        /// Killed, started and killed again.
        KILLED_TWICE,
        /// Stopped.
        STOPPED,
        /// Killed within a SQLite transaction, with pages in the database that must be rolled back.
        KILLED_IN_TRANSACTION
    }

    private static final List<String> FILES = List.of("", "-journal", ".log-0", ".log-1");
    private static final SqliteDisk.Limits LIMITS =
            new SqliteDisk.Limits(SqliteStore.MAXIMUM_BYTES, 64 << 10);
    private static final int KEYS = 60;
    private static final int STEPS = 300;
    private static final int UNSYNCED = 4;

    private final Random random;
    private final List<Map<String, byte[]>> snapshots = new ArrayList<>();
    private final Map<ObjectKey, Entry> objects = new HashMap<>();
    private final List<Map<ObjectKey, Entry>> allowed = new ArrayList<>();
    private long revision;

    private StoreImages(Random random) {
        this.random = random;
    }

    static StoreImages create(Path file, End end, long seed) throws IOException, SQLException {
        var images = new StoreImages(new Random(seed));
        images.run(file, end);
        return images;
    }

    /// The files at the end, by suffix.
    Map<String, byte[]> files() {
        return snapshots.getLast();
    }

    /// The files at a random moment before the end.
    Map<String, byte[]> earlier(Random chosen) {
        return snapshots.get(chosen.nextInt(snapshots.size() - 1));
    }

    /// Whether these are the acknowledged objects, possibly with unacknowledged changes.
    boolean isAllowed(List<Entry> entries) {
        return allowed.stream()
                .anyMatch(state ->
                        state.size() == entries.size()
                                && entries.stream().allMatch(entry -> isSame(state, entry)));
    }

    private static boolean isSame(Map<ObjectKey, Entry> state, Entry entry) {
        var expected = state.get(entry.key());
        return expected != null
                && expected.revision() == entry.revision()
                && Arrays.equals(expected.bytes(), entry.bytes());
    }

    private void run(Path file, End end) throws IOException, SQLException {
        SqliteStore.open(file).close();
        var disk = open(file);
        var unsynced = end == End.STOPPED ? 0 : random.nextInt(UNSYNCED);
        // The log ends at a random length.
        var steps = STEPS + random.nextInt(40);
        for (var step = 0; step < steps; step++) {
            disk.write(List.of(change()));
            if (step == steps - unsynced - 1) {
                allowed.clear();
            }
            allowed.add(Map.copyOf(objects));
            if (step < steps - unsynced) {
                disk.sync();
            }
            if (step % 60 == 20) {
                disk.awaitCheckpoint();
                snapshots.add(snapshot(file));
            }
        }
        disk.awaitCheckpoint();
        switch (end) {
            case KILLED -> snapshots.add(snapshot(file));
            case KILLED_TWICE -> {
                var killed = snapshot(file);
                snapshots.add(killed);
                disk.close();
                put(killed, file);
                disk = open(file);
                snapshots.add(snapshot(file));
            }
            case STOPPED -> {
                disk.close();
                snapshots.add(snapshot(file));
            }
            case KILLED_IN_TRANSACTION -> snapshots.add(inTransaction(file));
        }
        disk.close();
    }

    private static SqliteDisk open(Path file) throws IOException, SQLException {
        return SqliteDisk.open(
                file, LIMITS, SqliteRecovery.read(file), WriteAheadLog.Opener.DEFAULT);
    }

    private Change change() {
        revision = revision == 0 ? SqliteFile.FIRST_REVISION + 1 : revision + 1;
        var key = new ObjectKey("pods", "n", "p" + random.nextInt(KEYS));
        var value = new byte[random.nextInt(3_000)];
        random.nextBytes(value);
        var entry = new Entry(key, revision, value);
        if (objects.containsKey(key) && random.nextInt(5) == 0) {
            objects.remove(key);
            return new Change(Change.Type.DELETED, entry, Optional.empty());
        }
        objects.put(key, entry);
        return new Change(Change.Type.UPDATED, entry, Optional.empty());
    }

    private static Map<String, byte[]> inTransaction(Path file) throws IOException, SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            // Forces pages to be written before the transaction ends.
            statement.execute("PRAGMA cache_size = 5");
            connection.setAutoCommit(false);
            statement.execute(
                    "UPDATE objects SET checksum = revision, value = randomblob(2000)"
                            + " WHERE revision % 2 = 0");
            statement.execute("DELETE FROM objects WHERE revision % 3 = 0");
            var files = snapshot(file);
            connection.rollback();
            return files;
        }
    }

    static void put(Map<String, byte[]> files, Path store) throws IOException {
        for (var suffix : FILES) {
            var content = files.get(suffix);
            if (content == null) {
                Files.deleteIfExists(Path.of(store + suffix));
            } else {
                Files.write(Path.of(store + suffix), content);
            }
        }
    }

    private static Map<String, byte[]> snapshot(Path store) throws IOException {
        var files = new LinkedHashMap<String, byte[]>();
        for (var suffix : FILES) {
            if (Files.exists(Path.of(store + suffix))) {
                files.put(suffix, Files.readAllBytes(Path.of(store + suffix)));
            }
        }
        return files;
    }
}
