package dev.berth.server.store.sqlite;

import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.WriteResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Random;

/// A process whose file operations [PowerFailureTest] records: it creates a store, writes to it,
/// closes it, opens it again and writes until it exits without closing. Each durable write is noted
/// in a file beside the store, so that the recording contains it at its position.
final class RecordedWriter {

    static final String ACKNOWLEDGED = "acknowledged";

    /// Instead of a revision: a deletion has begun, whose revision follows with a minus sign.
    static final String DELETING = "deleting";

    private static final int THREADS = 4;
    private static final int KEYS = 12;
    private static final int STEPS = 60;

    private RecordedWriter() {}

    public static void main(String[] arguments) throws Exception {
        var directory = Path.of(arguments[0]);
        var seed = Long.parseLong(arguments[1]);
        var notes = Files.createFile(directory.resolve(ACKNOWLEDGED));
        var file = directory.resolve(SqliteStore.FILE);
        for (var life = 0; life < 2; life++) {
            // A short log, which is checkpointed often.
            var limits = new SqliteDisk.Limits(SqliteStore.MAXIMUM_BYTES, 64 << 10);
            var store = SqliteStore.open(file, limits);
            var threads = new ArrayList<Thread>();
            for (var i = 0; i < THREADS; i++) {
                var number = i;
                var random = new Random(seed * 100 + life * 10L + i);
                threads.add(Thread.ofPlatform().start(() -> write(store, notes, number, random)));
            }
            for (var thread : threads) {
                thread.join();
            }
            if (life == 0) {
                store.close();
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static void write(Store store, Path notes, int thread, Random random) {
        for (var step = 0; step < STEPS; step++) {
            var key = new ObjectKey("pods", "n", "t" + thread + "-" + random.nextInt(KEYS));
            var value = new byte[random.nextInt(6_000)];
            random.nextBytes(value);
            var current = store.get(key);
            var deletes = current.isPresent() && random.nextInt(4) == 0;
            var revision = current.map(Entry::revision);
            if (deletes) {
                note(notes, key.name() + " " + DELETING + "\n");
            }
            var result =
                    revision.map(known ->
                                    deletes
                                            ? store.delete(key, known)
                                            : store.update(key, known, value))
                            .orElseGet(() -> store.create(key, value));
            if (!(result instanceof WriteResult.Done(var entry))) {
                throw new IllegalStateException("only this thread writes " + key + ": " + result);
            }
            store.awaitDurable(entry.revision());
            note(notes, key.name() + " " + (deletes ? -1 : 1) * entry.revision() + "\n");
        }
    }

    private static synchronized void note(Path notes, String line) {
        try {
            Files.writeString(notes, line, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
