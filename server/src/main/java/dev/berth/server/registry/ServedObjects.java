package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Objects as they are sent in the version in which they are stored, without reading them: the
/// stored text with the revision put into its metadata.
public final class ServedObjects {

    private ServedObjects() {}

    /// The object with its revision. The bytes must not be changed by anybody.
    public static byte[] bytes(Resource resource, Entry entry) {
        return entry.memo(StoredEntry::new).served(resource.headLength());
    }

    /// The bytes to store an object as.
    public static byte[] toStore(Resource resource, JsonObject object) {
        return JsonWriter.bytes(StoredEntry.plain(resource, object));
    }

    /// Writes the object with its revision.
    public static void write(Resource resource, Entry entry, OutputStream to) throws IOException {
        var head = resource.headLength();
        var stored = entry.bytes();
        to.write(stored, 0, head);
        to.write(insertion(entry.revision()));
        to.write(stored, head, stored.length - head);
    }

    /// Puts the revision behind the opening bracket of `metadata`.
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
