package dev.berth.server.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.server.store.Entry;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.WriteResult;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;

/// A process that writes until it is killed, and prints each write that the store reported durable.
///
/// Each thread has its own keys. The state of a key must therefore be that of its last printed
/// line, or the write attempted right after it.
final class CrashingWriter {

    static final int THREADS = 8;
    static final int KEYS = 20;
    static final String COLLECTION = "resource.k8s.io/resourceclaims";

    private CrashingWriter() {}

    public static void main(String[] arguments) {
        // A short log, so that some kills come during a checkpoint.
        var limits = new SqliteDisk.Limits(SqliteStore.MAXIMUM_BYTES, 64 << 10);
        var store = SqliteStore.open(Path.of(arguments[0]), limits);
        var seed = Long.parseLong(arguments[1]);
        System.out.println("ready 0 0 " + store.revision());
        for (var thread = 0; thread < THREADS; thread++) {
            var number = thread;
            Thread.ofPlatform().start(() -> write(store, number, new Random(seed + number)));
        }
    }

    private static void write(Store store, int thread, Random random) {
        for (var step = 0; ; step++) {
            var key = key(thread, random.nextInt(KEYS));
            var value = value(key, step, random.nextInt(4_000));
            var current = store.get(key);
            var deletes = current.isPresent() && random.nextInt(4) == 0;
            var result =
                    current.map(Entry::revision)
                            .map(revision ->
                                    deletes
                                            ? store.delete(key, revision)
                                            : store.update(key, revision, value))
                            .orElseGet(() -> store.create(key, value));
            if (!(result instanceof WriteResult.Done(var entry))) {
                throw new IllegalStateException("only this thread writes " + key + ": " + result);
            }
            store.awaitDurable(entry.revision());
            var verb = deletes ? "deleted" : "written";
            System.out.println(verb + " " + key.name() + " " + step + " " + entry.revision());
        }
    }

    static ObjectKey key(int thread, int number) {
        return new ObjectKey(COLLECTION, "n", "t" + thread + "-k" + number);
    }

    /// Text with a checksum, to detect truncation.
    private static byte[] value(ObjectKey key, int step, int length) {
        var text = key.name() + " " + step + " " + "x".repeat(length);
        return (text + " " + checksum(text)).getBytes(UTF_8);
    }

    static boolean isWhole(Entry entry) {
        var text = new String(entry.bytes(), UTF_8);
        var end = text.lastIndexOf(' ');
        return text.startsWith(entry.key().name() + " ")
                && text.substring(end + 1).equals(Long.toString(checksum(text.substring(0, end))));
    }

    private static long checksum(String text) {
        var checksum = new CRC32();
        checksum.update(text.getBytes(UTF_8));
        return checksum.getValue();
    }
}
