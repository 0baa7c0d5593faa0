package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/// The JSON text of objects that are served in their stored version. Nothing is parsed: the
/// resourceVersion is spliced into the metadata of the stored text.
public final class ServedObjects {

    private ServedObjects() {}

    /// The object with its resourceVersion. Callers must not modify the array.
    public static byte[] bytes(Resource resource, Entry entry) {
        return entry.memo(StoredEntry::new).served(resource.metadataOffset());
    }

    /// A watch event with an object, encoded once for all watchers that receive it at the same
    /// time. Callers must not modify the array.
    public static byte[] event(Entry entry, WatchEventKey key, Supplier<byte[]> encoder) {
        return entry.memo(StoredEntry::new).event(key, encoder);
    }

    /// The bytes to store an object as.
    public static byte[] storedBytes(Resource resource, JsonObject object) {
        return JsonWriter.bytes(StoredEntry.withoutRevision(resource, object));
    }

    /// Writes the object with its resourceVersion.
    public static void write(Resource resource, Entry entry, OutputStream to) throws IOException {
        var head = resource.metadataOffset();
        var stored = entry.bytes();
        to.write(stored, 0, head);
        to.write(insertion(entry.revision()));
        to.write(stored, head, stored.length - head);
    }

    /// Inserts the resourceVersion after the opening brace of `metadata`.
    static byte[] spliced(byte[] stored, int head, long revision) {
        var insertion = insertion(revision);
        var bytes = new byte[stored.length + insertion.length];
        System.arraycopy(stored, 0, bytes, 0, head);
        System.arraycopy(insertion, 0, bytes, head, insertion.length);
        System.arraycopy(stored, head, bytes, head + insertion.length, stored.length - head);
        return bytes;
    }

    private static byte[] insertion(long revision) {
        return ("\"resourceVersion\":\"" + revision + "\",").getBytes(StandardCharsets.US_ASCII);
    }
}
