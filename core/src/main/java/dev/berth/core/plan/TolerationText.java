package dev.berth.core.plan;

import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.api.taint.TolerationOperator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// The notation `KEY[=VALUE][:EFFECT]` of tolerations.
public final class TolerationText {

    private static final Pattern NOTATION =
            Pattern.compile("([^=:]+)(?:=([^:]*))?(?::([A-Za-z]+))?");

    private TolerationText() {}

    /// A parsed toleration, or what is wrong with the text.
    public sealed interface Parsed {
        record Valid(DeviceToleration toleration) implements Parsed {}

        record Invalid(String problem) implements Parsed {}
    }

    public static Parsed parse(String text) {
        var match = NOTATION.matcher(text);
        if (!match.matches()) {
            return new Parsed.Invalid("%s is not KEY[=VALUE][:EFFECT]".formatted(text));
        }
        var value = Optional.ofNullable(match.group(2));
        var effect = Optional.ofNullable(match.group(3)).map(TaintEffect::of);
        if (effect.filter(TaintEffect.Unrecognised.class::isInstance).isPresent()) {
            return new Parsed.Invalid(
                    "effect %s is not NoSchedule or NoExecute".formatted(match.group(3)));
        }
        return new Parsed.Valid(
                new DeviceToleration(
                        match.group(1),
                        value.isPresent()
                                ? TolerationOperator.Known.EQUAL
                                : TolerationOperator.Known.EXISTS,
                        value.orElse(""),
                        effect,
                        OptionalLong.empty()));
    }
}
