package dev.berth.app.conformance;

import dev.berth.core.admission.Admission;
import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.core.admission.validation.Operation;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Cases of validation: types and fields of the errors of an object.
final class ValidationSuite implements Suite {

    private final Map<List<String>, Admission> admissions = new HashMap<>();

    @Override
    public Optional<Difference> compare(JsonObject recorded) {
        var expected = new TreeMap<String, String>();
        for (var error : recorded.objects("errors")) {
            expected.put(error.text("type") + " " + error.text("field"), error.text("detail"));
        }
        var actual = new TreeMap<String, String>();
        for (var problem : found(recorded)) {
            actual.put(problem.type().reason() + " " + problem.path(), problem.detail());
        }
        return expected.keySet().equals(actual.keySet())
                ? Optional.empty()
                : Optional.of(new Difference(shown(expected), shown(actual)));
    }

    private static String shown(Map<String, String> problems) {
        if (problems.isEmpty()) {
            return "no problems";
        }
        var lines = new StringBuilder();
        problems.forEach((problem, detail) ->
                lines.append(lines.isEmpty() ? "" : "\n")
                        .append(problem)
                        .append(": ")
                        .append(detail));
        return lines.toString();
    }

    private List<FieldError> found(JsonObject recorded) {
        var kind =
                AdmissionKind.named(recorded.text("kind"))
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "unknown kind " + recorded.text("kind")));
        return admissions
                .computeIfAbsent(recorded.strings("features"), ValidationSuite::admission)
                .validate(
                        kind,
                        operation(recorded.text("operation")),
                        recorded.object("oldObject"),
                        withEmptyLists(recorded));
    }

    private static Admission admission(List<String> features) {
        return new Admission(
                FeatureGates.exactly(
                        features.stream()
                                .map(name ->
                                        Gate.named(name)
                                                .orElseThrow(() ->
                                                        new IllegalArgumentException(
                                                                "unknown gate " + name)))
                                .toList()));
    }

    private static Operation operation(String name) {
        return switch (name) {
            case "create" -> Operation.CREATE;
            case "update" -> Operation.UPDATE;
            case "statusUpdate" -> Operation.STATUS_UPDATE;
            default -> throw new IllegalArgumentException("unknown operation " + name);
        };
    }

    /// The object with the empty lists that it had when the case was recorded: the JSON of
    /// Kubernetes omits them, and an error with the value `[]` shows where one was.
    private static JsonObject withEmptyLists(JsonObject recorded) {
        var object = recorded.objectOrEmpty("object");
        for (var error : recorded.objects("errors")) {
            if (error.array("badValue").filter(list -> list.size() == 0).isPresent()) {
                object = (JsonObject) withEmptyList(object, steps(error.text("field")));
            }
        }
        return object;
    }

    private static List<String> steps(String field) {
        return List.of(field.replace("]", "").split("[.\\[]"));
    }

    private static Json withEmptyList(Json value, List<String> steps) {
        if (steps.isEmpty()) {
            return value;
        }
        var first = steps.getFirst();
        var rest = steps.subList(1, steps.size());
        return switch (value) {
            case JsonObject object when rest.isEmpty() ->
                    object.has(first) ? object : object.with(first, JsonArray.EMPTY);
            case JsonObject object ->
                    object.has(first)
                            ? object.with(
                                    first, withEmptyList(object.member(first).orElseThrow(), rest))
                            : object;
            case JsonArray array -> {
                var items = new ArrayList<>(array.items());
                var index = Integer.parseInt(first);
                items.set(index, withEmptyList(items.get(index), rest));
                yield Json.array(items);
            }
            default -> value;
        };
    }
}
