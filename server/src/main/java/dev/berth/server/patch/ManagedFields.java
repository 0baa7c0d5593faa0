package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.time.Rfc3339;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The field managers of an object and the fields they own: `metadata.managedFields`.
public record ManagedFields(List<Entry> entries) {

    public static final ManagedFields NONE = new ManagedFields(List.of());

    private static final String METADATA = "metadata";
    private static final String MEMBER = "managedFields";

    /// The operation through which a manager owns fields.
    public enum Operation {
        APPLY("Apply"),
        UPDATE("Update");

        private final String word;

        Operation(String word) {
            this.word = word;
        }

        private static Optional<Operation> ofWord(String word) {
            return word.equals(APPLY.word)
                    ? Optional.of(APPLY)
                    : word.equals(UPDATE.word) ? Optional.of(UPDATE) : Optional.empty();
        }
    }

    /// Identity of a manager. A manager that applies is the same in all versions, so its version is
    /// left out.
    record Identity(String manager, Operation operation, String apiVersion, String subresource) {
        Identity {
            apiVersion = operation == Operation.APPLY ? "" : apiVersion;
        }
    }

    /// The fields of one manager. Immutable.
    ///
    /// Most entries stay the same over many writes of an object and are serialized each time, so an
    /// entry caches its JSON.
    public static final class Entry {

        private final String manager;
        private final Operation operation;
        private final String apiVersion;
        private final String subresource;
        private final Optional<Instant> time;
        private final FieldSet fields;

        // Computed on first use. Races are benign: each thread computes the same value.
        private @Nullable JsonObject json;

        /// @param subresource empty for the object itself
        /// @param time time of its last change
        public Entry(
                String manager,
                Operation operation,
                String apiVersion,
                String subresource,
                Optional<Instant> time,
                FieldSet fields) {
            this.manager = manager;
            this.operation = operation;
            this.apiVersion = apiVersion;
            this.subresource = subresource;
            this.time = time;
            this.fields = fields;
        }

        public String manager() {
            return manager;
        }

        public Operation operation() {
            return operation;
        }

        public String apiVersion() {
            return apiVersion;
        }

        public String subresource() {
            return subresource;
        }

        public Optional<Instant> time() {
            return time;
        }

        public FieldSet fields() {
            return fields;
        }

        Identity identity() {
            return new Identity(manager, operation, apiVersion, subresource);
        }

        /// True if both entries have the same identity.
        boolean isOfManager(Entry other) {
            return operation == other.operation
                    && manager.equals(other.manager)
                    && subresource.equals(other.subresource)
                    && (operation == Operation.APPLY || apiVersion.equals(other.apiVersion));
        }

        @SuppressWarnings("ReferenceEquality") // identical objects are equal
        Entry owning(FieldSet set) {
            return set == fields
                    ? this
                    : new Entry(manager, operation, apiVersion, subresource, time, set);
        }

        Entry at(Optional<Instant> when) {
            return new Entry(manager, operation, apiVersion, subresource, when, fields);
        }

        long seconds() {
            return time.isPresent() ? time.get().getEpochSecond() : 0;
        }

        /// Display form in conflicts.
        String text() {
            var text = new StringBuilder("\"%s\"".formatted(manager));
            if (!subresource.isEmpty()) {
                text.append(" with subresource \"%s\"".formatted(subresource));
            }
            if (operation == Operation.UPDATE) {
                text.append(" using ").append(apiVersion);
            }
            return text.toString();
        }

        private JsonObject toJson() {
            var known = json;
            if (known == null) {
                known = serialized();
                json = known;
            }
            return known;
        }

        private JsonObject serialized() {
            var members = new LinkedHashMap<String, Json>();
            members.put("manager", Json.of(manager));
            members.put("operation", Json.of(operation.word));
            members.put("apiVersion", Json.of(apiVersion));
            time.ifPresent(when -> members.put("time", Json.of(Rfc3339.write(when))));
            members.put("fieldsType", Json.of("FieldsV1"));
            members.put("fieldsV1", fields.toJson());
            if (!subresource.isEmpty()) {
                members.put("subresource", Json.of(subresource));
            }
            return new JsonObject(members);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Entry entry
                    && manager.equals(entry.manager)
                    && operation == entry.operation
                    && apiVersion.equals(entry.apiVersion)
                    && subresource.equals(entry.subresource)
                    && time.equals(entry.time)
                    && fields.equals(entry.fields);
        }

        @Override
        public int hashCode() {
            return Objects.hash(manager, operation, apiVersion, subresource, time, fields);
        }

        @Override
        public String toString() {
            return JsonWriter.compact(toJson());
        }
    }

    public ManagedFields {
        entries = sorted(entries);
    }

    private static List<Entry> sorted(List<Entry> entries) {
        for (var at = 1; at < entries.size(); at++) {
            if (order(entries.get(at - 1), entries.get(at)) > 0) {
                var sorted = new ArrayList<>(entries);
                sorted.sort(ManagedFields::order);
                return List.copyOf(sorted);
            }
        }
        return List.copyOf(entries);
    }

    private static int order(Entry a, Entry b) {
        var order = a.operation.compareTo(b.operation);
        order = order != 0 ? order : Long.compare(a.seconds(), b.seconds());
        order = order != 0 ? order : a.manager.compareTo(b.manager);
        order = order != 0 ? order : a.apiVersion.compareTo(b.apiVersion);
        return order != 0 ? order : a.subresource.compareTo(b.subresource);
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /// The managed fields of an object; empty if it has none or they are malformed.
    public static ManagedFields of(JsonObject object) {
        return parse(object.objectOrEmpty(METADATA).items(MEMBER)).orElse(NONE);
    }

    /// The managed fields to start from when a client updates an object. A client may edit them, or
    /// reset them with an empty list, but not by leaving them out, nor through a subresource.
    ///
    /// @param owners managed fields of the live object, computed when needed
    public static ManagedFields forUpdate(
            JsonObject live,
            Supplier<ManagedFields> owners,
            JsonObject written,
            String subresource) {
        if (!subresource.isEmpty()) {
            return owners.get();
        }
        var sent = written.objectOrEmpty(METADATA).array(MEMBER);
        if (sent.isPresent() && isReset(sent.get().items())) {
            return NONE;
        }
        if (sent.equals(live.objectOrEmpty(METADATA).array(MEMBER))) {
            return owners.get();
        }
        return sent.flatMap(list -> parse(list.items()))
                .filter(managed -> !managed.isEmpty())
                .orElseGet(owners);
    }

    /// The object without a list by which a client resets managed fields: such a list is not a
    /// valid value of the field.
    public static JsonObject withoutReset(JsonObject object) {
        return object.objectOrEmpty(METADATA)
                .array(MEMBER)
                .filter(list -> isReset(list.items()))
                .map(_ -> NONE.in(object))
                .orElse(object);
    }

    private static boolean isReset(List<Json> entries) {
        return entries.isEmpty()
                || (entries.size() == 1
                        && entries.getFirst() instanceof JsonObject only
                        && only.isEmpty());
    }

    /// Parses the list; empty if an entry is malformed.
    static Optional<ManagedFields> parse(List<Json> items) {
        var entries = new LinkedHashMap<Identity, Entry>();
        for (var item : items) {
            var entry = item instanceof JsonObject object ? entry(object) : Optional.<Entry>empty();
            if (entry.isEmpty()) {
                return Optional.empty();
            }
            entries.put(entry.get().identity(), entry.get());
        }
        return Optional.of(new ManagedFields(new ArrayList<>(entries.values())));
    }

    private static Optional<Entry> entry(JsonObject object) {
        var operation = Operation.ofWord(object.text("operation"));
        var fields = FieldSet.parse(object.objectOrEmpty("fieldsV1"));
        var time = object.string("time").flatMap(Rfc3339::read);
        if (operation.isEmpty()
                || fields.isEmpty()
                || object.text("apiVersion").isEmpty()
                || !object.text("fieldsType").equals("FieldsV1")
                || (object.has("time") && time.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(
                new Entry(
                        object.text("manager"),
                        operation.get(),
                        object.text("apiVersion"),
                        object.text("subresource"),
                        time,
                        fields.get()));
    }

    /// True if two objects have equal managed fields and also other metadata. A comparison of the
    /// objects without managed fields then gives the same result with them.
    static boolean areSame(JsonObject a, JsonObject b) {
        var left = a.objectOrEmpty(METADATA);
        var right = b.objectOrEmpty(METADATA);
        return left.size() > 1
                && right.size() > 1
                && left.has(MEMBER)
                && left.member(MEMBER).equals(right.member(MEMBER));
    }

    /// The object with these managed fields, or without the field if there are none.
    public JsonObject in(JsonObject object) {
        var metadata = object.objectOrEmpty(METADATA);
        if (entries.isEmpty()) {
            if (!metadata.members().containsKey(MEMBER)) {
                return object;
            }
            var left = metadata.without(MEMBER);
            return left.isEmpty() ? object.without(METADATA) : object.with(METADATA, left);
        }
        return object.with(METADATA, metadata.with(MEMBER, toJson()));
    }

    public JsonArray toJson() {
        var items = new Json[entries.size()];
        for (var at = 0; at < items.length; at++) {
            items[at] = entries.get(at).toJson();
        }
        return Json.array(items);
    }
}
