package dev.berth.server.kinds.custom;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.column.JsonPath;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Strategy of CustomResourceDefinitions. A definition with accepted names is served at once, so
/// its status has these conditions from the start; one of a built-in group is stored and never
/// served.
public final class CustomDefinitions implements Strategy {

    private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final List<String> COLUMN_TYPES =
            List.of("boolean", "date", "integer", "number", "string");

    private final CustomSchema.Compiler schemas;
    private final ComposedStrategy rules;

    public CustomDefinitions(CustomSchema.Compiler schemas) {
        this.schemas = schemas;
        this.rules =
                ComposedStrategy.cluster()
                        .withAnyFinalizers()
                        .countingGenerations()
                        .withStatus()
                        .defaults(CustomDefinitions::filled)
                        .checks(this::check)
                        .checksUpdate(CustomDefinitions::checkUpdate);
    }

    @Override
    public Admitted create(JsonObject object, RequestContext context) {
        return served(rules.create(object, context), JsonObject.EMPTY, context);
    }

    @Override
    public Admitted update(JsonObject old, JsonObject object, RequestContext context) {
        return served(rules.update(old, object, context), old.objectOrEmpty("status"), context);
    }

    @Override
    public Admitted updateStatus(JsonObject old, JsonObject object, RequestContext context) {
        return rules.updateStatus(old, object, context);
    }

    @Override
    public JsonObject defaults(JsonObject object, RequestContext context) {
        return rules.defaults(object, context);
    }

    private static JsonObject filled(JsonObject definition) {
        return DefaultsFiller.spec(
                definition,
                spec ->
                        DefaultsFiller.of(spec)
                                .into(
                                        "names",
                                        names -> {
                                            var kind = names.text("kind");
                                            return DefaultsFiller.of(names)
                                                    .text("singular", kind.toLowerCase(Locale.ROOT))
                                                    .text("listKind", kind + "List")
                                                    .done();
                                        })
                                .into(
                                        "conversion",
                                        c -> DefaultsFiller.of(c).text("strategy", "None").done())
                                .done());
    }

    private static Admitted served(Admitted admitted, JsonObject before, RequestContext context) {
        if (!admitted.accepted()) {
            return admitted;
        }
        var spec = admitted.object().objectOrEmpty("spec");
        var stored = new ArrayList<Json>(before.items("storedVersions"));
        for (var version : spec.objects("versions")) {
            var name = Json.of(version.text("name"));
            if (version.flag("storage").orElse(false) && !stored.contains(name)) {
                stored.add(name);
            }
        }
        var status =
                DefinitionConditions.status(admitted.object(), before, context.now())
                        .with("storedVersions", Json.array(stored));
        return new Admitted(
                admitted.object().with("status", status), List.of(), admitted.warnings());
    }

    private void check(JsonObject definition, ObjectChecks checks) {
        var spec = definition.objectOrEmpty("spec");
        var group = spec.text("group");
        if (checks.text(spec, "group", ObjectChecks.SPEC)) {
            checks.subdomain(group, ObjectChecks.SPEC.child("group"));
            if (group.split("\\.", -1).length < 2) {
                checks.invalid(
                        ObjectChecks.SPEC.child("group"),
                        group,
                        "should be a domain with at least one dot");
            }
        }
        approval(definition, checks);
        var expected = spec.objectOrEmpty("names").text("plural") + "." + group;
        var name = definition.objectOrEmpty("metadata").text("name");
        if (!name.equals(expected)) {
            checks.invalid(
                    ObjectChecks.METADATA.child("name"),
                    name,
                    "must be spec.names.plural+\".\"+spec.group");
        }
        checks.oneOf(spec, "scope", ObjectChecks.SPEC, List.of("Cluster", "Namespaced"));
        names(spec.objectOrEmpty("names"), ObjectChecks.SPEC.child("names"), checks);
        versions(spec, checks);
        conversion(spec.objectOrEmpty("conversion"), checks);
    }

    private static void approval(JsonObject definition, ObjectChecks checks) {
        var annotation = DefinitionConditions.annotation(definition);
        var path = ObjectChecks.METADATA.child("annotations").key(DefinitionConditions.APPROVAL);
        DefinitionConditions.approval(definition)
                .ifPresent(approval -> {
                    switch (approval) {
                        case MISSING -> checks.required(path, approval.message(annotation));
                        case INVALID ->
                                checks.invalid(path, annotation, approval.message(annotation));
                        case BYPASSED, APPROVED -> {}
                    }
                });
    }

    private static void names(JsonObject names, FieldPath path, ObjectChecks checks) {
        for (var name : List.of("plural", "singular")) {
            if (checks.text(names, name, path)) {
                label(names.text(name), path.child(name), checks);
            }
        }
        for (var name : List.of("kind", "listKind")) {
            if (checks.text(names, name, path)) {
                label(names.text(name).toLowerCase(Locale.ROOT), path.child(name), checks);
            }
        }
        if (!names.text("kind").isEmpty() && names.text("kind").equals(names.text("listKind"))) {
            checks.invalid(
                    path.child("listKind"),
                    names.text("listKind"),
                    "kind and listKind may not be the same");
        }
        for (var list : List.of("shortNames", "categories")) {
            var all = names.strings(list);
            for (var i = 0; i < all.size(); i++) {
                label(all.get(i), path.child(list).index(i), checks);
            }
        }
    }

    private static void label(String value, FieldPath path, ObjectChecks checks) {
        if (!LABEL.matcher(value).matches() || value.length() > NameFormats.LABEL_MAX) {
            checks.invalid(
                    path,
                    value,
                    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
                            + "start with an alphabetic character, and end with an alphanumeric "
                            + "character (e.g. 'my-name',  or 'abc-123', regex used for validation "
                            + "is '[a-z]([-a-z0-9]*[a-z0-9])?')");
        }
    }

    private void versions(JsonObject spec, ObjectChecks checks) {
        var path = ObjectChecks.SPEC.child("versions");
        var versions = spec.objects("versions");
        if (versions.isEmpty()) {
            checks.required(path, "must have at least one version");
            return;
        }
        var stored = versions.stream().filter(v -> v.flag("storage").orElse(false)).count();
        if (stored != 1) {
            checks.invalid(
                    path,
                    Json.array(versions),
                    "must have exactly one version marked as storage version");
        }
        checks.unique(spec, "versions", ObjectChecks.SPEC, "name");
        checks.each(
                spec, "versions", ObjectChecks.SPEC, (version, at) -> version(version, at, checks));
        if (spec.flag("preserveUnknownFields").orElse(false)) {
            checks.invalid(
                    ObjectChecks.SPEC.child("preserveUnknownFields"),
                    Json.of(true),
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                            + "spec.versions[*].schema instead");
        }
    }

    private void version(JsonObject version, FieldPath path, ObjectChecks checks) {
        if (checks.text(version, "name", path)) {
            label(version.text("name"), path.child("name"), checks);
        }
        var schemaPath = path.child("schema").child("openAPIV3Schema");
        var schema = version.objectOrEmpty("schema").object("openAPIV3Schema");
        if (schema.isEmpty()) {
            checks.required(schemaPath, "schemas are required");
        } else {
            schema(schema.get(), schemaPath, checks);
        }
        checks.each(
                version,
                "additionalPrinterColumns",
                path,
                (column, at) -> {
                    checks.text(column, "name", at);
                    checks.oneOf(column, "type", at, COLUMN_TYPES);
                    if (checks.text(column, "jsonPath", at)) {
                        jsonPath(column.text("jsonPath"), at.child("jsonPath"), checks);
                    }
                });
        checks.each(
                version,
                "selectableFields",
                path,
                (field, at) -> {
                    if (checks.text(field, "jsonPath", at)) {
                        jsonPath(field.text("jsonPath"), at.child("jsonPath"), checks);
                    }
                });
        version.objectOrEmpty("subresources")
                .object("scale")
                .ifPresent(scale -> {
                    var at = path.child("subresources").child("scale");
                    prefixed(scale, "specReplicasPath", ".spec.", at, checks);
                    prefixed(scale, "statusReplicasPath", ".status.", at, checks);
                });
    }

    private static void prefixed(
            JsonObject scale, String name, String prefix, FieldPath path, ObjectChecks checks) {
        if (checks.text(scale, name, path) && !scale.text(name).startsWith(prefix)) {
            checks.invalid(
                    path.child(name), scale.text(name), "should be a json path under " + prefix);
        }
    }

    private static void jsonPath(String text, FieldPath path, ObjectChecks checks) {
        if (JsonPath.parse(text) instanceof JsonPath.Parsing.Malformed(var why)) {
            checks.invalid(path, text, why);
        }
    }

    private void schema(JsonObject schema, FieldPath path, ObjectChecks checks) {
        if (!schema.text("type").equals("object")) {
            if (schema.text("type").isEmpty()) {
                checks.required(path.child("type"), "must not be empty at the root");
            } else {
                checks.invalid(
                        path.child("type"), schema.text("type"), "must be object at the root");
            }
        }
        checks.addAll(schemas.problems(schema, path));
    }

    private static void conversion(JsonObject conversion, ObjectChecks checks) {
        var path = ObjectChecks.SPEC.child("conversion");
        if (conversion.text("strategy").equals("Webhook")) {
            checks.forbidden(
                    path.child("strategy"), "conversion by webhooks is not served; use None");
        } else {
            checks.oneOf(conversion, "strategy", path, List.of("None"));
        }
    }

    private static void checkUpdate(JsonObject old, JsonObject definition, ObjectChecks checks) {
        for (var name : List.of("group", "scope")) {
            checks.immutableSpec(old, definition, name);
        }
        var before = old.objectOrEmpty("spec").objectOrEmpty("names");
        var after = definition.objectOrEmpty("spec").objectOrEmpty("names");
        for (var name : List.of("kind", "plural")) {
            checks.immutable(before, after, name, ObjectChecks.SPEC.child("names"));
        }
        var versions = new TreeSet<String>();
        definition
                .objectOrEmpty("spec")
                .objects("versions")
                .forEach(v -> versions.add(v.text("name")));
        var stored = old.objectOrEmpty("status").strings("storedVersions");
        for (var i = 0; i < stored.size(); i++) {
            if (!versions.contains(stored.get(i))) {
                checks.add(
                        FieldError.invalid(
                                ObjectChecks.STATUS.child("storedVersions").index(i),
                                stored.get(i),
                                "missing from spec.versions; objects may still be stored in this"
                                        + " version: keep it until they are migrated and it is"
                                        + " removed from status.storedVersions"));
            }
        }
    }
}
