package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.CelTypes;
import dev.berth.core.cel.library.KubernetesCelValue;
import dev.berth.core.cel.library.NullValue;
import dev.berth.core.cel.library.Overload;
import dev.berth.core.cel.library.UInt;
import dev.berth.core.cel.value.TypeValue;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Parameter types of an overload, matched against runtime values.
public final class OverloadSignature {

    private interface Test {
        boolean accepts(Object value);
    }

    private final Test[] arguments;

    public OverloadSignature(Overload overload) {
        this.arguments =
                overload.arguments().stream().map(OverloadSignature::test).toArray(Test[]::new);
    }

    public boolean accepts(Object[] values) {
        if (arguments.length != values.length) {
            return false;
        }
        for (var i = 0; i < values.length; i++) {
            if (!arguments[i].accepts(values[i])) {
                return false;
            }
        }
        return true;
    }

    private static Test test(CelType type) {
        return switch (type.kind()) {
            case BOOL -> value -> value instanceof Boolean;
            case BYTES -> value -> value instanceof CelBytes;
            case DOUBLE -> value -> value instanceof Double;
            case DURATION -> value -> value instanceof Duration;
            case INT -> value -> value instanceof Long;
            case LIST -> testElements(test(((ListType) type).elemType()));
            case MAP ->
                    testEntries(
                            test(((MapType) type).keyType()), test(((MapType) type).valueType()));
            case NULL_TYPE -> value -> value instanceof NullValue;
            case STRING -> value -> value instanceof String;
            case TIMESTAMP -> value -> value instanceof Instant;
            case TYPE -> value -> value instanceof TypeValue;
            case UINT -> value -> value instanceof UInt;
            case OPAQUE -> testOpaque(type);
            default -> _ -> true;
        };
    }

    private static Test testOpaque(CelType type) {
        if (type.equals(CelTypes.QUANTITY)) {
            return value -> value instanceof Quantity;
        }
        if (type.equals(CelTypes.SEMVER)) {
            return value -> value instanceof Semver;
        }
        return type.name().equals("optional_type")
                ? value -> value instanceof Optional
                : value ->
                        value instanceof KubernetesCelValue object && type.equals(object.celType());
    }

    /// Only the first element is checked, as upstream.
    private static Test testElements(Test element) {
        return value ->
                value instanceof List<?> list
                        && (list.isEmpty() || element.accepts(list.getFirst()));
    }

    private static Test testEntries(Test key, Test value) {
        return candidate -> {
            if (!(candidate instanceof Map<?, ?> map)) {
                return false;
            }
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            if (!entries.hasNext()) {
                return true;
            }
            var first = entries.next();
            return key.accepts(first.getKey()) && value.accepts(first.getValue());
        };
    }
}
