package dev.berth.server;

import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.SchemaCheck;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.server.registry.FieldTypes;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.SchemaValidator;
import dev.berth.server.schema.CrdSchemas;
import dev.berth.server.schema.SchemaFieldCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Knows the fields of every kind that is served: built-in ones from their descriptions, custom
/// ones from their definitions.
final class ServedSchemas implements SchemaValidator, FieldTypes {

    private final Schemas schemas = Schemas.builtIn();
    private final Map<String, Custom> custom = new ConcurrentHashMap<>();

    /// The fields of one version of a custom kind, and the schema that says so.
    private record Custom(Struct struct, JsonObject schema) {}

    @Override
    public Checked check(Resource resource, String version, JsonObject object) {
        var recorded = Kinds.byAddress(resource.group(), version, resource.plural());
        if (resource.group().equals(Kinds.RESOURCE_GROUP) && recorded.isPresent()) {
            var checked = SchemaCheck.check(recorded.get(), version, object);
            var faults = new ArrayList<String>();
            var oddities = new ArrayList<String>();
            for (var problem : checked.problems()) {
                (problem.isTolerable() ? oddities : faults).add(problem.message());
            }
            return new Checked(checked.object(), faults, oddities);
        }
        var struct = struct(resource, version);
        if (struct.isEmpty()) {
            return new Checked(resource.toInternal(version, object), List.of(), List.of());
        }
        var checked = SchemaFieldCheck.check(struct.get(), object);
        return new Checked(
                resource.toInternal(version, checked.object()),
                checked.fault().stream().toList(),
                checked.unknown());
    }

    @Override
    public SchemaType of(Resource resource, String version) {
        return struct(resource, version)
                .<SchemaType>map(struct -> struct)
                .orElse(SchemaType.Scalar.ANY);
    }

    Optional<Struct> struct(Resource resource, String version) {
        return resource.isCustom()
                ? Optional.ofNullable(custom.get(key(resource, version))).map(Custom::struct)
                : schemas.kind(resource.group(), version, resource.kind());
    }

    /// What is published of a custom kind; empty for a built-in one.
    Optional<JsonObject> published(Resource resource, String version) {
        return Optional.ofNullable(custom.get(key(resource, version)))
                .map(known -> CrdSchemas.published(known.schema));
    }

    /// Remembers the fields of a custom kind.
    void put(Resource resource, String version, Struct struct, JsonObject schema) {
        custom.put(key(resource, version), new Custom(struct, schema));
    }

    private static String key(Resource resource, String version) {
        return resource.collection() + "/" + version;
    }
}
