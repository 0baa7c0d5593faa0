package dev.berth.core.cel.value;

import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.KubernetesCelValue;
import dev.berth.core.cel.library.NullValue;
import dev.berth.core.cel.library.UInt;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Go type names as they appear in the error messages of Kubernetes.
public final class GoTypeNames {

    private GoTypeNames() {}

    /// The Go type of cel-go that represents a CEL value.
    public static String ofValue(Object value) {
        return switch (value) {
            case Long _ -> "types.Int";
            case UInt _ -> "types.Uint";
            case Double _ -> "types.Double";
            case Boolean _ -> "types.Bool";
            case String _ -> "types.String";
            case CelBytes _ -> "types.Bytes";
            case NullValue _ -> "types.Null";
            case List<?> _ -> "*types.baseList";
            case Map<?, ?> _ -> "*types.baseMap";
            case Duration _ -> "types.Duration";
            case Instant _ -> "types.Timestamp";
            case Optional<?> _ -> "*types.Optional";
            case Quantity _ -> "cel.Quantity";
            case Semver _ -> "cel.Semver";
            case KubernetesCelValue object -> "cel." + simpleName(object);
            default -> "*types.Type";
        };
    }

    /// The Go type of the native value of a CEL value.
    public static String ofContent(Object value) {
        return switch (value) {
            case Long _ -> "int64";
            case UInt _ -> "uint64";
            case Double _ -> "float64";
            case Boolean _ -> "bool";
            case String _ -> "string";
            case CelBytes _ -> "[]uint8";
            case NullValue _ -> "structpb.NullValue";
            case List<?> _ -> "[]ref.Val";
            case Map<?, ?> _ -> "map[ref.Val]ref.Val";
            case Duration _ -> "time.Duration";
            case Instant _ -> "time.Time";
            case Optional<?> option -> option.isPresent() ? ofContent(option.get()) : "<nil>";
            case Quantity _ -> "*resource.Quantity";
            case Semver _ -> "semver.Version";
            case KubernetesCelValue object -> "cel." + simpleName(object);
            default -> "string";
        };
    }

    private static String simpleName(KubernetesCelValue object) {
        var name = object.celType().name();
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
