package dev.berth.schema.protobuf;

import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.schema.protobuf.FieldNumbers.Entry;
import dev.berth.schema.protobuf.FieldNumbers.Presence;
import dev.berth.schema.protobuf.FieldNumbers.Wrapping;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The message types of all schemas, built on first use.
final class MessageTypes {

    private static final String JSON_SCHEMA =
            "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

    private static final String LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

    private static final String META_GROUP = "meta.k8s.io";
    private static final String LIST_SUFFIX = "List";

    private static final List<Entry> LIST_ENTRIES =
            List.of(
                    new Entry.Named("metadata", 1, Presence.OMIT_EMPTY, Wrapping.NONE),
                    new Entry.Named("items", 2, Presence.OMIT_EMPTY, Wrapping.NONE));

    private final Schemas schemas;
    private final FieldNumbers numbers;
    private final Map<String, MessageType> byStruct = new ConcurrentHashMap<>();
    private final Map<String, Optional<MessageType>> byKind = new ConcurrentHashMap<>();

    MessageTypes(Schemas schemas, FieldNumbers numbers) {
        this.schemas = schemas;
        this.numbers = numbers;
    }

    MessageType of(Struct struct) {
        var known = byStruct.get(struct.name());
        if (known == null) {
            known = MessageType.of(struct, numbers);
            byStruct.put(struct.name(), known);
        }
        return known;
    }

    MessageType listMetadata() {
        return of(schemas.struct(LIST_META));
    }

    MessageType jsonSchema() {
        return of(schemas.struct(JSON_SCHEMA));
    }

    /// The message of a kind or of a list of it; empty if it has no protobuf encoding.
    Optional<MessageType> kind(String apiVersion, String kind) {
        // Only known kinds are cached: names come from clients.
        var known = byKind.get(apiVersion + "/" + kind);
        if (known != null) {
            return known;
        }
        var found = find(apiVersion, kind);
        if (found.isPresent()) {
            byKind.put(apiVersion + "/" + kind, found);
        }
        return found;
    }

    /// True for a list of objects of one kind.
    boolean isList(MessageType type) {
        return !numbers.contains(type.struct().name());
    }

    private Optional<MessageType> find(String apiVersion, String kind) {
        var struct = struct(apiVersion, kind);
        if (struct.isPresent()) {
            return struct.map(this::of);
        }
        if (!kind.endsWith(LIST_SUFFIX)) {
            return Optional.empty();
        }
        var item = kind.substring(0, kind.length() - LIST_SUFFIX.length());
        return struct(apiVersion, item)
                .map(found -> MessageType.of(schemas.listOf(found), LIST_ENTRIES, numbers));
    }

    /// The schema of a kind. Options, `Status` and the like exist in every group and version.
    private Optional<Struct> struct(String apiVersion, String kind) {
        var slash = apiVersion.indexOf('/');
        var group = slash < 0 ? "" : apiVersion.substring(0, slash);
        var version = apiVersion.substring(slash + 1);
        return schemas.kind(group.equals(META_GROUP) ? "" : group, version, kind)
                .or(() -> schemas.kind("", "v1", kind).filter(MessageTypes::isOfEveryGroup))
                .filter(struct -> numbers.contains(struct.name()));
    }

    private static boolean isOfEveryGroup(Struct struct) {
        return struct.name().startsWith("io.k8s.apimachinery.pkg.apis.meta.v1.");
    }
}
