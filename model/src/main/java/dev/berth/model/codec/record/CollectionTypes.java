package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TokenReader.Token;
import dev.berth.model.codec.token.ValueWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Types of lists and maps. A `null` element is an empty value, as in Kubernetes.
public final class CollectionTypes {

    private CollectionTypes() {}

    public static <T> RecordType<List<T>> list(RecordType<T> item) {
        return new ListType<>(item);
    }

    public static <T> RecordType<Map<String, T>> map(RecordType<T> value) {
        return new MapType<>(value);
    }

    private record ListType<T>(RecordType<T> item) implements RecordType<List<T>> {

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
    }

    private record MapType<T>(RecordType<T> value) implements RecordType<Map<String, T>> {

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
    }
}
