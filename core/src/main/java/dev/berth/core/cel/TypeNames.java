package dev.berth.core.cel;

import dev.cel.common.types.CelType;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Type names in messages. Upstream has two notations.
final class TypeNames {

    private TypeNames() {}

    /// Notation of messages about the type of a whole expression: `list(int)`,
    /// `google.protobuf.Any`.
    static String formal(CelType type) {
        return withParameters(type.name(), type, TypeNames::formal);
    }

    /// Notation of messages of the checker: `any`, `timestamp`, `null`.
    static String casual(CelType type) {
        var name =
                switch (type.kind()) {
                    case ANY -> "any";
                    case TIMESTAMP -> "timestamp";
                    case DURATION -> "duration";
                    case NULL_TYPE -> "null";
                    default -> type.name();
                };
        return withParameters(name, type, TypeNames::casual);
    }

    private static String withParameters(
            String name, CelType type, Function<CelType, String> style) {
        if (type.parameters().isEmpty()) {
            return name;
        }
        return type.parameters().stream()
                .map(style)
                .collect(Collectors.joining(", ", name + "(", ")"));
    }
}
