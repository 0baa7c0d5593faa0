package dev.berth.server.kinds.custom;

import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.WorkloadSubresources;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.kinds.column.HumanDuration;
import dev.berth.server.kinds.column.JsonPath;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Subresource;
import dev.berth.server.registry.TableColumn;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Converts CustomResourceDefinitions to served resources.
public final class CustomKinds {

    private final CustomSchema.Compiler schemas;

    public CustomKinds(CustomSchema.Compiler schemas) {
        this.schemas = schemas;
    }

    /// True if the group of a definition is built in, so that it is never served.
    public static boolean isBuiltIn(JsonObject definition) {
        return BuiltInGroups.contains(definition.objectOrEmpty("spec").text("group"));
    }

    /// A stored definition with the conditions and accepted names set by this server.
    public static JsonObject withStatus(JsonObject definition, Instant now) {
        var before = definition.objectOrEmpty("status");
        return definition.with("status", DefinitionConditions.status(definition, before, now));
    }

    /// The resource of a stored definition; empty if none of its versions is served, and for
    /// definitions of built-in groups with any status.
    ///
    /// All versions have the same fields. Validation, columns and subresources are those of the
    /// storage version, or of the first served one if the storage version is not served.
    public Optional<Resource> resource(JsonObject definition) {
        var spec = definition.objectOrEmpty("spec");
        var served =
                spec.objects("versions").stream()
                        .filter(v -> v.flag("served").orElse(false))
                        .toList();
        if (served.isEmpty() || isBuiltIn(definition)) {
            return Optional.empty();
        }
        var first =
                served.stream()
                        .filter(v -> v.flag("storage").orElse(false))
                        .findFirst()
                        .orElse(served.getFirst());
        return Optional.of(resource(spec, first, names(served)));
    }

    private static List<String> names(List<JsonObject> versions) {
        return VersionPriority.preferredFirst(versions.stream().map(v -> v.text("name")).toList());
    }

    private Resource resource(JsonObject spec, JsonObject version, List<String> versions) {
        var names = spec.objectOrEmpty("names");
        var group = spec.text("group");
        var subresources = version.objectOrEmpty("subresources");
        var namespaced = spec.text("scope").equals("Namespaced");
        var row =
                Resource.of(group, names.text("kind"), rules(version, namespaced))
                        .custom()
                        .plural(names.text("plural"))
                        .versions(versions)
                        .shortNames(names.strings("shortNames").toArray(String[]::new))
                        .categories(names.strings("categories").toArray(String[]::new))
                        .columns(columns(version))
                        .selectable(selectable(version));
        if (namespaced) {
            row.namespaced();
        }
        if (subresources.has("status")) {
            row.withStatus();
        }
        subresources
                .object("scale")
                .ifPresent(scale ->
                        row.subresources(
                                scale(group, names.text("plural"), names.text("kind"), scale)));
        return row.updateNeedsRevision().deleteReturnsStatus().build();
    }

    private ComposedStrategy rules(JsonObject version, boolean namespaced) {
        var hasStatus = version.objectOrEmpty("subresources").has("status");
        var schema =
                schemas.compile(version.objectOrEmpty("schema").objectOrEmpty("openAPIV3Schema"));
        var strategy = namespaced ? ComposedStrategy.namespaced() : ComposedStrategy.cluster();
        return strategy.named(NameFormats::subdomain)
                .withAnyFinalizers()
                .countingGenerations()
                .defaults(o -> schema.defaults(schema.prune(o)))
                .onCreate((o, _) -> hasStatus ? o.without("status") : o)
                .onUpdate((old, o, _) -> hasStatus ? withStatusOf(old, o) : o)
                .checksNew((o, checks) -> checks.addAll(schema.validate(o, Optional.empty())))
                .checksUpdate(
                        (old, o, checks) -> checks.addAll(schema.validate(o, Optional.of(old))))
                .checksStatus(
                        (old, o, checks) -> checks.addAll(schema.validate(o, Optional.of(old))));
    }

    private static JsonObject withStatusOf(JsonObject old, JsonObject object) {
        return TreeEdits.copyMember(object, old, "status");
    }

    private static List<TableColumn> columns(JsonObject version) {
        var own = version.objects("additionalPrinterColumns");
        if (own.isEmpty()) {
            return Columns.nameAndAge();
        }
        var columns = Columns.named();
        for (var column : own) {
            if (JsonPath.parse(column.text("jsonPath"))
                    instanceof JsonPath.Parsing.Parsed(var path)) {
                columns.add(
                        column.text("name"),
                        column.text("type"),
                        column.text("format"),
                        column.text("description"),
                        Math.toIntExact(column.number("priority").orElse(0) & 0xffff),
                        cell(path, column.text("type")));
            }
        }
        return columns.list();
    }

    private static TableColumn.Cell cell(JsonPath path, String type) {
        return (object, now) -> {
            var found = path.find(object);
            if (found.isEmpty()) {
                return Json.JsonNull.INSTANCE;
            }
            if (type.equals("date")) {
                return Json.of(HumanDuration.since(JsonPath.text(found.getFirst()), now));
            }
            if (type.equals("string")) {
                return Json.of(String.join(",", found.stream().map(JsonPath::text).toList()));
            }
            return found.getFirst();
        };
    }

    private static Map<String, Function<JsonObject, String>> selectable(JsonObject version) {
        var fields = new LinkedHashMap<String, Function<JsonObject, String>>();
        for (var field : version.objects("selectableFields")) {
            var text = field.text("jsonPath");
            if (JsonPath.parse(text) instanceof JsonPath.Parsing.Parsed(var path)) {
                fields.put(
                        text.substring(1),
                        object -> {
                            var found = path.find(object);
                            return found.isEmpty() ? "" : JsonPath.text(found.getFirst());
                        });
            }
        }
        return fields;
    }

    private static Subresource scale(String group, String plural, String kind, JsonObject scale) {
        var replicas = path(scale.text("specReplicasPath"));
        var actual = path(scale.text("statusReplicasPath"));
        var selector = path(scale.text("labelSelectorPath"));
        return WorkloadSubresources.scale(
                group,
                plural,
                kind,
                new WorkloadSubresources.Scaling(
                        o -> replicas.map(p -> p.number(o)).orElse(0L),
                        o -> actual.map(p -> p.number(o)).orElse(0L),
                        o ->
                                selector.map(p -> p.find(o)).orElse(List.of()).stream()
                                        .findFirst()
                                        .map(JsonPath::text)
                                        .orElse(""),
                        (o, n) -> replicas.map(p -> p.with(o, Json.of(n))).orElse(o)));
    }

    private static Optional<JsonPath> path(String text) {
        return JsonPath.parse(text) instanceof JsonPath.Parsing.Parsed(var path)
                ? Optional.of(path)
                : Optional.empty();
    }
}
