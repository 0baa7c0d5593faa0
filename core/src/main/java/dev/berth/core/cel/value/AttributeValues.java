package dev.berth.core.cel.value;

import dev.berth.core.cel.library.CelError;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Semver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Converts attribute values to CEL values.
public final class AttributeValues {

    private AttributeValues() {}

    /// The CEL value, or an error when the attribute has no valid value.
    public static Object toCel(AttributeValue value) {
        // Most attributes are strings or numbers; checking these first is much faster.
        if (value instanceof AttributeValue.StringValue text) {
            return text.value();
        }
        if (value instanceof AttributeValue.IntValue number) {
            return number.value();
        }
        return switch (value) {
            case AttributeValue.StringValue(var text) -> text;
            case AttributeValue.IntValue(var number) -> number;
            case AttributeValue.BoolValue(var flag) -> flag;
            case AttributeValue.VersionValue(var text) -> version(text);
            case AttributeValue.IntList(var values) -> values;
            case AttributeValue.BoolList(var values) -> values;
            case AttributeValue.StringList(var values) -> values;
            case AttributeValue.VersionList(var values) -> versions(values);
            case AttributeValue.Unrecognised _ -> new CelError("unsupported attribute value");
        };
    }

    /// The error of an invalid value, if any.
    public static Optional<String> fault(AttributeValue value) {
        return switch (value) {
            case AttributeValue.VersionValue _,
                    AttributeValue.VersionList _,
                    AttributeValue.Unrecognised _ ->
                    toCel(value) instanceof CelError(var message)
                            ? Optional.of(message)
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Object version(String text) {
        var parsed = Semver.tryParse(text);
        return parsed.isPresent()
                ? parsed.get()
                : new CelError(
                        "parse semantic version: \"%s\" is not major.minor.patch".formatted(text));
    }

    private static Object versions(List<String> texts) {
        var versions = new ArrayList<Object>(texts.size());
        for (var text : texts) {
            var version = version(text);
            if (version instanceof CelError) {
                return version;
            }
            versions.add(version);
        }
        return versions;
    }
}
