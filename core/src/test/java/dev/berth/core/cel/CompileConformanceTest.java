package dev.berth.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.Compilation.Compiled;
import dev.berth.core.cel.Compilation.Rejected;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompileConformanceTest {

    private record Setting(CelEnvironment environment, CelFeatures features) {}

    private final Map<Setting, CelCompiler> compilers = new HashMap<>();

    @Test
    void compilationEqualsKubernetes() {
        var cases = Conformance.lines("cel.jsonl");

        var differences = new ArrayList<String>();
        for (var line : cases) {
            var expected = expected(line);
            var found = found(line);
            if (!expected.equals(found)) {
                differences.add(
                        "%s: %s%n  expected %s%n  found    %s"
                                .formatted(
                                        line.get("name"), line.get("expression"), expected, found));
            }
        }

        assertThat(cases).isNotEmpty();
        assertThat(differences).isEmpty();
    }

    private static String expected(Map<String, Object> line) {
        var answer = (Map<?, ?>) line.getOrDefault("answer", Map.of());
        if (answer.get("compileError") instanceof Map<?, ?> error) {
            return "rejected: " + error.get("detail");
        }
        return answer.get("worstCaseCost") instanceof BigInteger cost
                ? "compiled at " + cost
                : "compiled";
    }

    private String found(Map<String, Object> line) {
        var compiler = compilers.computeIfAbsent(setting(line), s -> compiler(s));
        var text = String.valueOf(line.get("expression"));
        var outcome =
                Boolean.TRUE.equals(line.get("derived"))
                        ? compiler.compileDerived(text)
                        : compiler.compileSelector(text);
        return switch (outcome) {
            case Rejected rejected -> "rejected: " + rejected.detail();
            case Compiled(var expression) ->
                    expected(line).equals("compiled")
                            ? "compiled"
                            : "compiled at " + expression.worstCaseCost();
        };
    }

    private static CelCompiler compiler(Setting setting) {
        return new CelCompiler(setting.environment(), setting.features());
    }

    private static Setting setting(Map<String, Object> line) {
        var features = (List<?>) line.getOrDefault("features", List.of());
        return new Setting(
                "NewExpressions".equals(line.get("environment"))
                        ? CelEnvironment.NEW
                        : CelEnvironment.STORED,
                new CelFeatures(
                        features.contains("EnableConsumableCapacity"),
                        features.contains("EnableListTypeAttributes")));
    }
}
