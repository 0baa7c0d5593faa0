package dev.berth.server.http.response;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The JSON text of a list. It is written object by object from immutable entries, so that a large
/// list is never in memory as a whole.
///
/// @param frame the list without objects: its last member is the empty array for the items
record JsonList(JsonObject frame, List<Entry> entries, Item item) implements StreamedList {

    /// Writes one object of the list.
    interface Item {
        void write(Entry entry, OutputStream to) throws IOException;
    }

    private static final String END = "]}";
    private static final int SIZE_OF_REVISION = 48;

    /// Approximate length of the text, assuming that objects are as long as in the store.
    @Override
    public long size() {
        var size = 256L;
        for (var entry : entries) {
            size += entry.bytes().length + SIZE_OF_REVISION;
        }
        return size;
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
        var text = JsonWriter.compact(frame);
        to.write(text.substring(0, text.length() - END.length()).getBytes(StandardCharsets.UTF_8));
        var first = true;
        for (var entry : entries) {
            if (!first) {
                to.write(',');
            }
            first = false;
            item.write(entry, to);
        }
        to.write((END + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
