package dev.berth.schema;

import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Parser of the schema language in which the built-in kinds are defined.
///
/// A schema consists of lines. `#` begins a comment. A line that begins with `:` continues the
/// description of the line above.
///
/// ```
/// group resource.k8s.io
/// import meta io.k8s.apimachinery.pkg.apis.meta.v1
/// package io.k8s.api.resource v1 v1beta2
///
/// kind ResourceClaim : Description.
///   spec! ResourceClaimSpec : With an exclamation mark the field is required.
///   status ResourceClaimStatus
///
/// type Sample atomic : Replaced as a whole by server-side apply.
///   plain string = "a" : With a default value.
///   list [string] : Atomic: the list has one owner.
///   set [string set patch] : Merged by apply and by strategic merge patches.
///   byKeys [Port by port protocol patch port] : Two keys for apply, one for strategic merge.
///   kept [Volume by name patch name retain] : With the strategy retainKeys.
///   map {quantity}
///   other meta.LabelSelector replace : Or: retain, atomic, granular.
///   port int32 (min 1, max 65535) = 80 : Constraints come before the default value.
/// ```
///
/// Fields that several types have are written once and included, in one file:
///
/// ```
/// fields Limits
///   min int32
///   max int32
///
/// type Range
///   include Limits
/// ```
///
/// Constraints are `required` (absent and empty values are rejected), `enum A B`, `min N`, `max N`,
/// `items N` and `length N` (upper limits), `format F`, `immutable`, and `no-update` (as immutable,
/// with another message). A type may also begin with `@one-of A B` (exactly one of the fields must
/// be set) or `@any-of A B` (at least one).
///
/// A kind with `@served` needs no Java code: the server derives its validation from the schema.
///
/// ```
/// kind Ingress
///   @served ingresses namespaced status generation unconditional returns-object
///   @short ing
///   @categories all
///   @verbs get list
///   @name ip
///   @stored Berth stores Ingress objects; no controller acts on them
///   @select spec.nodeName
///   @column "Label" string {.spec.class} else <none> : Description
///   @wide Images string {.spec.containers[*].image} : Description
///   @age
/// ```
///
/// `@served` has the plural and flags (see [ServedKind.Flag]). All verbs are served unless `@verbs`
/// lists some. `@name` is the format of `metadata.name`; the default is `dns-subdomain`. `@stored`
/// marks kinds that no controller acts on: the response to a creation has this text as a warning,
/// or the one above if there is no text. `@select` lists fields for field selectors. `@column` is a
/// column of `kubectl get`, `@wide` one of `kubectl get -o wide`. The first column is the name; a
/// kind without columns has the time of creation as its second.
///
/// A cell is a template: text with JSON paths in braces, several values with commas between them.
/// `else` gives the cell of objects in which no path has a value. A path may end with a filter:
/// `|count`, `|age`, `|selector`, `|labels`, `|first N`, `|condition TYPE`, `|or TEXT`, `|prefix
/// TEXT`, `|then TEXT` (in place of a value), `|when VALUE TEXT`. A line that begins with `+`
/// continues the line above.
///
/// Every `kind` implicitly has `apiVersion`, `kind` and `metadata`; a `bare` one has no `metadata`.
/// Types that follow a `package` are defined once for each of its versions, and names in them refer
/// to types of the same version. A version in parentheses has an encoding but is not served. The
/// `group` `""` is the core group.
public final class SchemaReader {

    private static final String INCLUDE = "include ";
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    /// Resolves types, also those of other schema files.
    interface TypeResolver {
        /// The type with a full name.
        ///
        /// @throws IllegalArgumentException if there is none
        Struct struct(String fullName);
    }

    /// A type defined by a schema file.
    ///
    /// @param kind true for a kind, false for a nested type
    record Definition(String group, String version, String name, boolean kind, Struct struct) {}

    private final TypeResolver types;
    private final Map<String, String> imports = new HashMap<>();
    private final List<Definition> definitions = new ArrayList<>();
    private final List<ServedKind> served = new ArrayList<>();
    private final Map<String, List<String>> sharedFields = new HashMap<>();
    private String group = "";
    private String packageName = "";
    private List<String> versions = List.of();
    private List<String> servedVersions = List.of();

    private SchemaReader(TypeResolver types) {
        this.types = types;
    }

    static SchemaReader read(String text, TypeResolver types) {
        var reader = new SchemaReader(types);
        reader.read(joined(text));
        return reader;
    }

    List<Definition> definitions() {
        return definitions;
    }

    /// The kinds with `@served`.
    List<ServedKind> served() {
        return served;
    }

    /// The lines without comments, with continuation lines joined.
    private static List<String> joined(String text) {
        var lines = new ArrayList<String>();
        for (var line : text.lines().toList()) {
            var bare = line.strip();
            if (bare.startsWith(": ")) {
                lines.set(lines.size() - 1, lines.getLast() + bare.substring(1));
            } else if (bare.startsWith("+ ")) {
                lines.set(lines.size() - 1, lines.getLast() + bare.substring(2));
            } else if (!bare.isEmpty() && !bare.startsWith("#")) {
                lines.add(line.stripTrailing());
            }
        }
        return lines;
    }

    private void read(List<String> lines) {
        var next = 0;
        while (next < lines.size()) {
            var head = lines.get(next++);
            var words = List.of(splitDescription(head)[0].split(" ", -1));
            switch (words.getFirst()) {
                case "group" -> group = words.get(1).equals("\"\"") ? "" : words.get(1);
                case "import" -> imports.put(words.get(1), words.get(2));
                case "package" -> {
                    packageName = words.get(1);
                    versions(words.subList(2, words.size()));
                }
                case "kind", "type", "fields" -> {
                    var block = included(block(lines, next));
                    next += block(lines, next).size();
                    if (words.getFirst().equals("fields")) {
                        sharedFields.put(words.get(1), block);
                    } else {
                        define(words, splitDescription(head)[1], block);
                    }
                }
                default -> throw new IllegalArgumentException("unknown statement: " + head);
            }
        }
    }

    /// The indented lines from here on.
    private static List<String> block(List<String> lines, int from) {
        return lines.subList(from, lines.size()).stream()
                .takeWhile(line -> line.startsWith(" "))
                .toList();
    }

    /// The lines with the included fields in place of `include`.
    private List<String> included(List<String> block) {
        var all = new ArrayList<String>(block.size());
        for (var line : block) {
            if (line.strip().startsWith(INCLUDE)) {
                var fields = sharedFields.get(line.strip().substring(INCLUDE.length()));
                if (fields == null) {
                    throw new IllegalArgumentException("no fields to include: " + line.strip());
                }
                all.addAll(fields);
            } else {
                all.add(line);
            }
        }
        return all;
    }

    /// Versions in parentheses have schemas but are not served.
    private void versions(List<String> words) {
        versions = words.stream().map(word -> word.replaceAll("[()]", "")).toList();
        servedVersions = words.stream().filter(word -> !word.startsWith("(")).toList();
    }

    private void define(List<String> words, String description, List<String> lines) {
        var kind = words.getFirst().equals("kind");
        var name = words.get(1);
        var flags = words.subList(2, words.size());
        var serving = ServedKindReader.read(name, lines);
        var first = definitions.size();
        for (var version : versions) {
            var versionPackage = packageName + "." + version;
            var fields =
                    new LazyFields(
                            () ->
                                    fields(
                                            lines,
                                            versionPackage,
                                            kind,
                                            kind && !flags.contains("bare")),
                            serving.unions());
            var struct =
                    new Struct(
                            versionPackage + "." + name,
                            description,
                            fields,
                            flags.contains("atomic"),
                            flags.contains("open"));
            definitions.add(new Definition(group, version, name, kind, struct));
        }
        serving.served(group, servedVersions, definitions.get(first).struct())
                .ifPresent(served::add);
    }

    private List<Field> fields(
            List<String> lines, String versionPackage, boolean typed, boolean named) {
        var fields = new ArrayList<Field>(lines.size() + 3);
        if (typed) {
            fields.addAll(typeFields());
        }
        if (named) {
            fields.add(plain("metadata", types.struct(META), "Name, labels, owners and history."));
        }
        for (var line : lines) {
            if (!ServedKindReader.isServed(line)) {
                fields.add(field(line.strip(), versionPackage));
            }
        }
        return fields;
    }

    /// `apiVersion` and `kind`.
    public static List<Field> typeFields() {
        return List.of(
                plain(
                        "apiVersion",
                        Scalar.STRING,
                        "The group and version in which the object is written."),
                plain("kind", Scalar.STRING, "The kind of the object."));
    }

    public static Field plain(String name, SchemaType type, String description) {
        return new Field(name, type, description, false, Optional.empty());
    }

    private Field field(String line, String versionPackage) {
        var parts = splitDescription(line);
        var space = parts[0].indexOf(' ');
        if (space < 0) {
            throw new IllegalArgumentException("field without type: " + line);
        }
        var name = parts[0].substring(0, space);
        var required = name.endsWith("!");
        var typeReader =
                new SchemaTypeReader(
                        parts[0].substring(space + 1), word -> resolve(word, versionPackage));
        var type = typeReader.type();
        var constraints = typeReader.constraints();
        return new Field(
                required ? name.substring(0, name.length() - 1) : name,
                type,
                parts[1],
                required,
                typeReader.initial(),
                typeReader.patching(),
                constraints);
    }

    private Struct resolve(String word, String versionPackage) {
        var dot = word.indexOf('.');
        if (dot < 0) {
            return types.struct(versionPackage + "." + word);
        }
        var imported = imports.get(word.substring(0, dot));
        if (imported == null) {
            throw new IllegalArgumentException("no import for " + word);
        }
        return types.struct(imported + word.substring(dot));
    }

    /// Splits a line into definition and description.
    static String[] splitDescription(String line) {
        var colon = line.indexOf(" : ");
        return colon < 0
                ? new String[] {line, ""}
                : new String[] {line.substring(0, colon), line.substring(colon + 3)};
    }
}
