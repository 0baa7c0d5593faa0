package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TokenReader.Token;
import dev.berth.model.codec.token.ValueWriter;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Types of lists and maps. A `null` element is an empty value, as in Kubernetes.
public final class CollectionTypes {

    private CollectionTypes() {}

    public static <T> RecordType<List<T>> list(RecordType<T> item) {
        return new ListType<>(item);
    }

    public static <T> RecordType<Map<String, T>> map(RecordType<T> value) {
        return new MapType<>(value);
    }

    /// The schema of a list whose items have no Java type.
    public static Schema list(Schema item) {
        return new ListSchema(item);
    }

    public record ListSchema(Schema item) implements Schema {

        @Override
        @SuppressWarnings("ReferenceEquality") // identical objects have not changed
        public Json tidy(Json value, Tidying tidying) {
            if (!(value instanceof JsonArray(var items))) {
                tidying.wrongType("array", value);
                return value;
            }
            var tidy = new ArrayList<Json>(items.size());
            var isTidy = true;
            for (var i = 0; i < items.size(); i++) {
                tidying.trail().enter(i);
                var part = tidyPart(item, items.get(i), tidying);
                tidying.trail().leave();
                isTidy &= part == items.get(i);
                tidy.add(part);
            }
            return isTidy ? value : new JsonArray(tidy);
        }

        @Override
        public Json absent() {
            return JsonArray.EMPTY;
        }

        @Override
        public void describe(String path, Consumer<String> to) {
            item.describe(path + "[]", to);
        }
    }

    public record ListType<T>(RecordType<T> item, Schema schema) implements RecordType<List<T>> {

        ListType(RecordType<T> item) {
            this(item, new ListSchema(item));
        }

        @Override
        public List<T> read(Decoder in) {
            var tokens = in.tokens();
            if (tokens.current() != Token.ARRAY) {
                in.wrongType("array");
                return List.of();
            }
            var items = new ArrayList<T>();
            while (tokens.next() != Token.END_ARRAY) {
                in.enter(items.size());
                items.add(tokens.current() == Token.NULL ? item.zero() : item.read(in));
                in.leave();
            }
            return items;
        }

        @Override
        public void write(List<T> value, ValueWriter out) {
            out.startArray();
            for (var one : value) {
                item.write(one, out);
            }
            out.endArray();
        }

        @Override
        public List<T> zero() {
            return List.of();
        }

        @Override
        public boolean isZero(List<T> value) {
            return value.isEmpty();
        }

        @Override
        public Json tidy(Json value, Tidying tidying) {
            return schema.tidy(value, tidying);
        }

        @Override
        public Json absent() {
            return schema.absent();
        }

        @Override
        public void describe(String path, Consumer<String> to) {
            schema.describe(path, to);
        }
    }

    public record MapType<T>(RecordType<T> value) implements RecordType<Map<String, T>> {

        @Override
        public Map<String, T> read(Decoder in) {
            var tokens = in.tokens();
            if (tokens.current() != Token.OBJECT) {
                in.wrongType("object");
                return Map.of();
            }
            var entries = new LinkedHashMap<String, T>();
            while (tokens.next() == Token.NAME) {
                var name = tokens.word(in.interner());
                in.enter(name);
                if (entries.containsKey(name)) {
                    in.report(new DecodingProblem.DuplicateField(in.path()));
                }
                entries.put(name, tokens.next() == Token.NULL ? value.zero() : value.read(in));
                in.leave();
            }
            return entries;
        }

        @Override
        public void write(Map<String, T> entries, ValueWriter out) {
            out.startObject();
            for (var entry : entries.entrySet()) {
                out.name(entry.getKey());
                value.write(entry.getValue(), out);
            }
            out.endObject();
        }

        @Override
        public Map<String, T> zero() {
            return Map.of();
        }

        @Override
        public boolean isZero(Map<String, T> entries) {
            return entries.isEmpty();
        }

        @Override
        public Json tidy(Json json, Tidying tidying) {
            if (!(json instanceof JsonObject object)) {
                tidying.wrongType("object", json);
                return json;
            }
            var tidy = new MemberEdits(object);
            for (var at = 0; at < object.size(); at++) {
                var name = object.nameAt(at);
                tidying.trail().enter(name);
                tidy.put(name, tidyPart(value, object.valueAt(at), tidying));
                tidying.trail().leave();
            }
            return tidy.done();
        }

        @Override
        public Json absent() {
            return JsonObject.EMPTY;
        }

        @Override
        public void describe(String path, Consumer<String> to) {
            value.describe(path + ".*", to);
        }
    }

    private static Json tidyPart(Schema schema, Json part, Schema.Tidying tidying) {
        return part instanceof JsonNull ? schema.absent() : schema.tidy(part, tidying);
    }
}
