package dev.berth.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.Compilation.Compiled;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.json.JsonObject;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EvaluateConformanceTest {

    @Test
    void evaluationEqualsKubernetes() {
        var compilers = new Compilers();
        var differences = new ArrayList<String>();
        var compared = 0;
        for (var line : Conformance.lines("cel.jsonl")) {
            var answer = map(line, "answer");
            if (line.get("device") == null || answer.get("compileError") != null) {
                continue;
            }
            compared++;
            var found =
                    compilers.compile(line) instanceof Compiled(var expression)
                            ? CelProgram.of(expression).evaluate(device(map(line, "device")))
                            : null;
            if (!expected(answer).equals(Optional.ofNullable(found))) {
                differences.add(
                        "%s: %s%n  expected %s%n  found    %s"
                                .formatted(
                                        line.get("name"),
                                        line.get("expression"),
                                        expected(answer),
                                        found));
            }
        }
        assertThat(compared).isPositive();
        assertThat(differences).isEmpty();
    }

    private static final class Compilers {
        private final Map<List<Object>, CelCompiler> all = new java.util.HashMap<>();

        Compilation compile(Map<?, ?> line) {
            var environment =
                    "NewExpressions".equals(line.get("environment"))
                            ? CelEnvironment.NEW
                            : CelEnvironment.STORED;
            var on = line.get("features") instanceof List<?> list ? list : List.of();
            var features =
                    new CelFeatures(
                            on.contains("EnableConsumableCapacity"),
                            on.contains("EnableListTypeAttributes"));
            var compiler =
                    all.computeIfAbsent(
                            List.of(environment, features),
                            _ -> new CelCompiler(environment, features));
            var text = String.valueOf(line.get("expression"));
            return Boolean.TRUE.equals(line.get("derived"))
                    ? compiler.compileDerived(text)
                    : compiler.compileSelector(text);
        }
    }

    private static Optional<EvaluationResult> expected(Map<?, ?> answer) {
        var cost = answer.get("actualCost") instanceof BigInteger number ? number.longValue() : 0;
        if (answer.get("matchError") instanceof String message) {
            return Optional.of(new EvaluationResult.Failed(message, cost));
        }
        return Optional.of(
                answer.get("match") instanceof Boolean matches
                        ? new EvaluationResult.Matched(matches, cost)
                        : new EvaluationResult.Derived(attribute(map(answer, "attribute")), cost));
    }

    private static TestDevice device(Map<?, ?> json) {
        var device =
                TestDevice.of(String.valueOf(json.get("driver")))
                        .shared(Boolean.TRUE.equals(json.get("allowMultipleAllocations")));
        for (var attribute : map(json, "attributes").entrySet()) {
            device =
                    device.with(
                            String.valueOf(attribute.getKey()),
                            attribute((Map<?, ?>) attribute.getValue()));
        }
        for (var capacity : map(json, "capacity").entrySet()) {
            var amount = ((Map<?, ?>) capacity.getValue()).get("value");
            device = device.withCapacity(String.valueOf(capacity.getKey()), String.valueOf(amount));
        }
        return device;
    }

    private static AttributeValue attribute(Map<?, ?> json) {
        var kind = String.valueOf(json.keySet().iterator().next());
        var value = json.get(kind);
        return switch (value) {
            case BigInteger number -> new AttributeValue.IntValue(number.longValue());
            case Boolean flag -> new AttributeValue.BoolValue(flag);
            case String text when kind.equals("version") -> new AttributeValue.VersionValue(text);
            case String text -> new AttributeValue.StringValue(text);
            case List<?> list -> list(kind, list);
            case null, default -> new AttributeValue.Unrecognised(JsonObject.EMPTY);
        };
    }

    private static AttributeValue list(String kind, List<?> values) {
        return switch (kind) {
            case "ints" ->
                    new AttributeValue.IntList(
                            values.stream().map(v -> ((BigInteger) v).longValue()).toList());
            case "bools" ->
                    new AttributeValue.BoolList(values.stream().map(v -> (Boolean) v).toList());
            case "versions" ->
                    new AttributeValue.VersionList(values.stream().map(String::valueOf).toList());
            default -> new AttributeValue.StringList(values.stream().map(String::valueOf).toList());
        };
    }

    private static Map<?, ?> map(Map<?, ?> json, String name) {
        return json.get(name) instanceof Map<?, ?> found ? found : Map.of();
    }
}
