package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TokenReader.Token;
import dev.berth.model.codec.token.ValueWriter;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Declarative mapping of a JSON object to a record: its fields, and the construction of the
/// record.
///
/// ```java
/// static final RecordMapping<DerivedAttribute> DERIVED =
///         RecordMapping.of(
///                 fields -> {
///                     var name = fields.always("name", WORD, DerivedAttribute::name);
///                     var text = fields.always("expression", TEXT, DerivedAttribute::expression);
///                     return in -> new DerivedAttribute(in.get(name), in.get(text));
///                 });
/// ```
public final class RecordMapping<T> implements RecordType<T> {

    /// Declares the fields and returns the constructor of the record.
    public interface Description<T> {
        public Function<DecodedFields, T> of(MappingBuilder<T> fields);
    }

    private final List<Field<T, ?>> fields;
    private final Map<String, Integer> positions;
    private final @Nullable Function<T, JsonObject> rest;
    private final Function<DecodedFields, T> make;
    private final boolean partial;

    private RecordMapping(
            MappingBuilder<T> described, Function<DecodedFields, T> make, boolean partial) {
        this.fields = List.copyOf(described.fields());
        this.positions = new HashMap<>();
        for (var i = 0; i < fields.size(); i++) {
            positions.put(fields.get(i).name(), i);
        }
        this.rest = described.rest();
        this.make = make;
        this.partial = partial;
    }

    /// A mapping of all fields.
    public static <T> RecordMapping<T> of(Description<T> description) {
        var fields = new MappingBuilder<T>();
        return new RecordMapping<>(fields, description.of(fields), false);
    }

    /// A mapping of some fields: others are neither reported nor kept.
    public static <T> RecordMapping<T> partial(Description<T> description) {
        var fields = new MappingBuilder<T>();
        return new RecordMapping<>(fields, description.of(fields), true);
    }

    /// The names of the fields.
    public Set<String> names() {
        return positions.keySet();
    }

    /// Memo of the record decoded from an object of a tree. Versions of an object share most of
    /// their parts, and several components decode the same version.
    private record Memo(RecordMapping<?> shape, Object value) {}

    private static final RecordOrigins ORIGINS = new RecordOrigins();

    @Override
    public T read(Decoder in) {
        var object = in.tokens().whole();
        if (object == null || !isWorthCaching(object)) {
            return readNow(in);
        }
        if (object.memo() instanceof Memo(var shape, var known) && shape == this) {
            in.tokens().skip();
            return cast(known);
        }
        var problems = in.problems().size();
        var value = readNow(in);
        if (in.problems().size() == problems) {
            object.remember(new Memo(this, value));
            if (!partial) {
                ORIGINS.put(this, value, object);
            }
        }
        return value;
    }

    /// A memo does not pay off for an object with one plain member.
    private static boolean isWorthCaching(JsonObject object) {
        return object.size() > 1
                || (object.size() == 1
                        && (object.valueAt(0) instanceof JsonObject
                                || object.valueAt(0) instanceof JsonArray));
    }

    @SuppressWarnings("unchecked") // decoded by this mapping
    private T cast(Object value) {
        return (T) value;
    }

    private T readNow(Decoder in) {
        var tokens = in.tokens();
        var values = new DecodedFields(this, fields.size());
        if (tokens.current() != Token.OBJECT) {
            in.wrongType("object");
            return make.apply(values);
        }
        while (tokens.next() == Token.NAME) {
            var name = tokens.text();
            in.enter(name);
            tokens.next();
            var position = positions.get(name);
            if (position == null) {
                readUnknown(name, values, in);
            } else {
                readField(position, values, in);
            }
            in.leave();
        }
        return make.apply(values);
    }

    private void readField(int position, DecodedFields values, Decoder in) {
        if (values.isSet(position)) {
            in.report(new DecodingProblem.DuplicateField(in.path()));
        }
        if (in.tokens().current() != Token.NULL) {
            values.set(position, readValue(fields.get(position).type(), in));
        }
    }

    private static Object readValue(RecordType<?> type, Decoder in) {
        return type.read(in);
    }

    private void readUnknown(String name, DecodedFields values, Decoder in) {
        if (!partial) {
            in.report(new DecodingProblem.UnknownField(in.path()));
        }
        if (rest == null) {
            in.tokens().skip();
        } else {
            values.addUnknown(name, in.tree());
        }
    }

    @Override
    public void write(T value, ValueWriter out) {
        var origin = out.takesOrigins() ? ORIGINS.of(this, value) : null;
        if (origin == null) {
            writeNow(value, out);
        } else {
            out.json(origin);
        }
    }

    private void writeNow(T value, ValueWriter out) {
        out.startObject();
        for (var field : fields) {
            field.write(value, out);
        }
        if (rest != null) {
            out.members(rest.apply(value));
        }
        out.endObject();
    }

    void writeSlot(int index, DecodedFields values, ValueWriter out) {
        fields.get(index).writeSlot(values.at(index), out);
    }

    @Override
    public T zero() {
        return make.apply(new DecodedFields(this, fields.size()));
    }

    @Override
    public boolean isZero(T value) {
        return value.equals(zero());
    }
}
