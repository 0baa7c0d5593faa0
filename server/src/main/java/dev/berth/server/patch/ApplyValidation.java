package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Checks an applied configuration against its type; without that it cannot be merged.
final class ApplyValidation {

    /// Maximum number of reported errors.
    private static final int MAX_PROBLEMS = 100;

    private final List<String> problems = new ArrayList<>();

    private ApplyValidation() {}

    /// The error message of Kubernetes; empty if the configuration is valid.
    static Optional<String> problem(Json config, SchemaType type) {
        var check = new ApplyValidation();
        check.value(config, type, "");
        if (check.problems.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                check.problems.size() == 1
                        ? check.problems.getFirst()
                        : "errors:\n  " + String.join("\n  ", check.problems));
    }

    private void value(Json value, SchemaType type, String path) {
        if (value instanceof JsonNull) {
            return;
        }
        switch (type) {
            case Scalar scalar -> scalar(value, scalar, path);
            case Struct struct -> struct(value, struct, path);
            case MapOf map -> {
                if (value instanceof JsonObject object) {
                    object.members()
                            .forEach((name, item) -> value(item, map.value(), path + "." + name));
                } else {
                    report(path, "expected map, got " + JsonWriter.compact(value));
                }
            }
            case ListOf list -> {
                if (value instanceof JsonArray(var items)) {
                    items(items, list, path);
                } else {
                    report(path, "expected list, got " + JsonWriter.compact(value));
                }
            }
        }
    }

    private void scalar(Json value, Scalar scalar, String path) {
        var expected =
                switch (scalar) {
                    case STRING, BYTES, TIME, MICRO_TIME, DURATION ->
                            value instanceof JsonString ? "" : "string";
                    case BOOLEAN -> value instanceof JsonBool ? "" : "boolean";
                    case INT32, INT64, NUMBER ->
                            value instanceof JsonNumber ? "" : "numeric (int or float)";
                    case QUANTITY, INT_OR_STRING ->
                            value instanceof JsonString || value instanceof JsonNumber
                                    ? ""
                                    : "string or numeric";
                    case ANY -> "";
                };
        if (!expected.isEmpty()) {
            report(path, "expected %s, got %s".formatted(expected, JsonWriter.compact(value)));
        }
    }

    private void struct(Json value, Struct struct, String path) {
        if (struct.equals(ApplyTypes.DEDUCED)) {
            return;
        }
        if (!(value instanceof JsonObject object)) {
            report(path, "expected map, got " + JsonWriter.compact(value));
            return;
        }
        object.members()
                .forEach((name, member) -> {
                    var inner = path + "." + name;
                    if (!struct.open() && ApplyTypes.declaredField(struct, name).isEmpty()) {
                        report(inner, "field not declared in schema");
                    } else {
                        value(member, ApplyTypes.member(struct, name), inner);
                    }
                });
    }

    private void items(List<Json> items, ListOf list, String path) {
        var split = ApplyTypes.associativeList(list).isPresent();
        var seen = new TreeSet<PathStep>();
        for (var i = 0; i < items.size(); i++) {
            var item = items.get(i);
            if (!split) {
                value(item, list.item(), path + "[" + i + "]");
                continue;
            }
            var step = ApplyTypes.step(list, item);
            if (step.isEmpty()) {
                report(path, "element %d: %s".formatted(i, ApplyTypes.problem(list, item)));
                continue;
            }
            if (!seen.add(step.get())) {
                report(path, "duplicate entries for key " + step.get());
            }
            value(item, list.item(), path + step.get());
        }
    }

    private void report(String path, String problem) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(path.isEmpty() ? problem : path + ": " + problem);
        }
    }
}
