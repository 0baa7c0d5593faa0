package dev.berth.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;

/// A process that writes until it is killed, and prints each write that it was told to be durable.
///
/// Each thread has its own keys, so its last printed line about a key is what must be there, or
/// what it tried right after that.
final class CrashingWriter {

    static final int THREADS = 8;
    static final int KEYS = 20;
    static final String COLLECTION = "resource.k8s.io/resourceclaims";

    private CrashingWriter() {}

    public static void main(String[] arguments) {
        // A short journal, so that kills come while it is carried over, too.
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
            var answer =
                    current.map(Entry::revision)
                            .map(revision ->
                                    deletes
                                            ? store.delete(key, revision)
                                            : store.update(key, revision, value))
                            .orElseGet(() -> store.create(key, value));
            if (!(answer instanceof WriteResult.Done(var entry))) {
                throw new IllegalStateException("nobody else writes " + key + ": " + answer);
            }
            store.secure(entry.revision());
            var verb = deletes ? "deleted" : "written";
            System.out.println(verb + " " + key.name() + " " + step + " " + entry.revision());
        }
    }

    static ObjectKey key(int thread, int number) {
        return new ObjectKey(COLLECTION, "n", "t" + thread + "-k" + number);
    }

    /// Text that tells whether all of it is there.
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
