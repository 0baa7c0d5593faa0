package dev.berth.app.conformance;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.CheckedExpression;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.cel.ListedDevice;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Cases of CEL: compilation, cost estimate, result and cost of an evaluation on a device.
final class CelSuite implements Suite {

    private record Setting(CelEnvironment environment, CelFeatures features) {}

    private final Map<Setting, CelCompiler> compilers = new HashMap<>();

    @Override
    public Optional<Difference> compare(JsonObject recorded) {
        var expected = expected(recorded.objectOrEmpty("answer"));
        var actual = actual(recorded, recorded.objectOrEmpty("answer"));
        return expected.equals(actual)
                ? Optional.empty()
                : Optional.of(new Difference(expected, actual));
    }

    private static String expected(JsonObject answer) {
        if (answer.has("compileError")) {
            return "does not compile";
        }
        return compiled(answer.number("worstCaseCost").stream().boxed().findFirst())
                + answer.string("matchError")
                        .map(message -> failed(message, answer))
                        .or(() -> answer.flag("match").map(match -> matched(match, answer)))
                        .or(() -> answer.object("attribute").map(v -> derived(v, answer)))
                        .orElse("");
    }

    private static String failed(String message, JsonObject answer) {
        return "; fails: %s%s".formatted(message, cost(answer));
    }

    private static String matched(boolean match, JsonObject answer) {
        return "; %s%s".formatted(match, cost(answer));
    }

    private static String derived(JsonObject value, JsonObject answer) {
        return "; gives %s%s".formatted(attribute(value), cost(answer));
    }

    private static String cost(JsonObject answer) {
        return " at cost " + answer.number("actualCost").orElse(-1);
    }

    private static String compiled(Optional<Long> worstCase) {
        return "compiles" + worstCase.map(cost -> ", worst case " + cost).orElse("");
    }

    private String actual(JsonObject recorded, JsonObject answer) {
        return switch (compile(recorded)) {
            case Compilation.Rejected rejected ->
                    answer.has("compileError")
                            ? "does not compile"
                            : "does not compile: " + rejected.detail();
            case Compilation.Compiled(var expression) -> evaluated(recorded, answer, expression);
        };
    }

    private Compilation compile(JsonObject recorded) {
        var on = recorded.strings("features");
        var setting =
                new Setting(
                        recorded.text("environment").equals("NewExpressions")
                                ? CelEnvironment.NEW
                                : CelEnvironment.STORED,
                        new CelFeatures(
                                on.contains("EnableConsumableCapacity"),
                                on.contains("EnableListTypeAttributes")));
        var compiler =
                compilers.computeIfAbsent(setting, s -> new CelCompiler(s.environment, s.features));
        var text = recorded.text("expression");
        return recorded.flag("derived").orElse(false)
                ? compiler.compileDerived(text)
                : compiler.compileSelector(text);
    }

    private static String evaluated(
            JsonObject recorded, JsonObject answer, CheckedExpression expression) {
        var program = CelProgram.of(expression);
        var worstCase =
                answer.has("worstCaseCost")
                        ? Optional.of(expression.worstCaseCost())
                        : Optional.<Long>empty();
        var asked = answer.has("matchError") || answer.has("match") || answer.has("attribute");
        return compiled(worstCase) + (asked ? shown(program.evaluate(device(recorded))) : "");
    }

    private static String shown(EvaluationResult outcome) {
        return switch (outcome) {
            case EvaluationResult.Matched(var matches, var cost) ->
                    "; %s at cost %d".formatted(matches, cost);
            case EvaluationResult.Derived(var value, var cost) ->
                    "; gives %s at cost %d".formatted(value, cost);
            case EvaluationResult.Failed(var message, var cost) ->
                    "; fails: %s at cost %d".formatted(message, cost);
        };
    }

    private static DeviceView device(JsonObject recorded) {
        var listed = recorded.objectOrEmpty("device");
        var driver = listed.text("driver");
        return ListedDevice.of(driver, RecordedDevices.device(listed.without("driver")));
    }

    /// The recorded value as the codec reads it: an attribute of a device that has nothing else.
    private static AttributeValue attribute(JsonObject value) {
        var device =
                RecordedDevices.device(JsonObject.of("attributes", JsonObject.of("value", value)));
        return Optional.ofNullable(device.attributes().get("value")).orElseThrow();
    }
}
