package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TreeValueWriter;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The decoded fields of an object, from which a record is constructed.
public final class DecodedFields {

    private final RecordMapping<?> shape;
    private final @Nullable Object[] slots;
    private @Nullable Map<String, Json> unknown;

    DecodedFields(RecordMapping<?> shape, int size) {
        this.shape = shape;
        this.slots = new @Nullable Object[size];
    }

    public <V> V get(FieldSlot<V> slot) {
        return slot.view().apply(slots[slot.index()]);
    }

    boolean isSet(int index) {
        return slots[index] != null;
    }

    @Nullable Object at(int index) {
        return slots[index];
    }

    void set(int index, Object value) {
        slots[index] = value;
    }

    void addUnknown(String name, Json value) {
        if (unknown == null) {
            unknown = new LinkedHashMap<>();
        }
        unknown.put(name, value);
    }

    /// Some fields as JSON, with the unknown ones: the content of an `Unrecognised` case.
    public JsonObject raw(FieldSlot<?>... of) {
        var sink = new TreeValueWriter(false);
        sink.startObject();
        for (var slot : of) {
            shape.writeSlot(slot.index(), this, sink);
        }
        if (unknown != null) {
            sink.members(new JsonObject(unknown));
        }
        sink.endObject();
        return sink.root() instanceof JsonObject object ? object : JsonObject.EMPTY;
    }
}
