package dev.berth.schema;

import dev.berth.schema.SchemaReader.Definition;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Struct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The types of all built-in kinds, in each of their versions.
public final class Schemas implements SchemaReader.TypeResolver {

    /// Name of the type of object metadata.
    public static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    private static final String LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

    private static final List<String> TEXTS =
            List.of(
                    "meta",
                    "core",
                    "resource",
                    "apps",
                    "batch",
                    "policy",
                    "events",
                    "coordination",
                    "scheduling",
                    "storage",
                    "discovery",
                    "node",
                    "rbac",
                    "certificates",
                    "authentication",
                    "authorization",
                    "autoscaling",
                    "networking",
                    "admissionregistration",
                    "flowcontrol",
                    "storagemigration",
                    "apiregistration",
                    "apidiscovery",
                    "apiextensions");

    /// Group, version and kind.
    public record KindName(String group, String version, String kind) {}

    private final Map<String, Struct> byName = new TreeMap<>();
    private final Map<KindName, Struct> byKind = new HashMap<>();
    private final List<ServedKind> served = new ArrayList<>();

    private Schemas(List<String> texts) {
        var definitions = new ArrayList<Definition>();
        for (var text : texts) {
            var read = SchemaReader.read(text, this);
            definitions.addAll(read.definitions());
            served.addAll(read.served());
        }
        for (var one : definitions) {
            if (byName.put(one.struct().name(), one.struct()) != null) {
                throw new IllegalArgumentException(one.struct().name() + " is defined twice");
            }
            if (one.kind()) {
                byKind.put(new KindName(one.group(), one.version(), one.name()), one.struct());
            }
        }
    }

    /// The built-in schemas, which are parsed on first use in a few milliseconds.
    public static Schemas builtIn() {
        return BuiltIn.SCHEMAS;
    }

    private static final class BuiltIn {
        private static final Schemas SCHEMAS =
                new Schemas(TEXTS.stream().map(Schemas::resource).toList());
    }

    /// Parses schema files that refer only to each other.
    public static Schemas of(List<String> texts) {
        return new Schemas(texts);
    }

    private static String resource(String name) {
        var file = name + ".schema";
        try (var in = Schemas.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /// The type of a kind in a version.
    public Optional<Struct> kind(String group, String version, String kind) {
        return Optional.ofNullable(byKind.get(new KindName(group, version, kind)));
    }

    public Collection<KindName> kinds() {
        return Collections.unmodifiableSet(byKind.keySet());
    }

    /// The kinds with `@served`.
    public List<ServedKind> served() {
        return Collections.unmodifiableList(served);
    }

    /// All types by name.
    public Collection<Struct> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    @Override
    public Struct struct(String fullName) {
        var struct = byName.get(fullName);
        if (struct == null) {
            throw new IllegalArgumentException("there is no type " + fullName);
        }
        return struct;
    }

    /// The type of object metadata.
    public Struct objectMeta() {
        return struct(OBJECT_META);
    }

    /// The type of a list of objects.
    public Struct listOf(Struct item) {
        return new Struct(
                item.name() + "List",
                "A list of " + simpleName(item) + " objects.",
                new LazyFields(() -> listFields(item)),
                false,
                false);
    }

    private List<Field> listFields(Struct item) {
        var fields = new ArrayList<>(SchemaReader.typeFields());
        fields.add(SchemaReader.plain("metadata", struct(LIST_META), "Metadata of the list."));
        fields.add(
                new Field(
                        "items",
                        new ListOf(item, new Merge.Atomic(), false, "", false),
                        "The objects.",
                        true,
                        Optional.empty()));
        return fields;
    }

    /// The last part of a type's name.
    public static String simpleName(Struct struct) {
        return struct.name().substring(struct.name().lastIndexOf('.') + 1);
    }
}
