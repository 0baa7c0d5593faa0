package dev.berth.schema.check;

import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;

/// Go type names of Kubernetes, as in its decoding errors.
final class GoStructNames {

    private GoStructNames() {}

    static String of(SchemaType type) {
        return switch (type) {
            case Struct(var name, _, _, _, _) -> struct(name);
            case ListOf list -> "[]" + of(list.item());
            case MapOf map -> "map[string]" + of(map.value());
            case Scalar scalar ->
                    switch (scalar) {
                        case STRING -> "string";
                        case BOOLEAN -> "bool";
                        case INT32 -> "int32";
                        case INT64 -> "int64";
                        case NUMBER -> "float64";
                        case BYTES -> "[]uint8";
                        case TIME -> "v1.Time";
                        case MICRO_TIME -> "v1.MicroTime";
                        case DURATION -> "v1.Duration";
                        case QUANTITY -> "resource.Quantity";
                        case INT_OR_STRING -> "intstr.IntOrString";
                        case ANY -> "interface {}";
                    };
        };
    }

    /// `io.k8s.api.core.v1.Pod` is `v1.Pod`.
    private static String struct(String name) {
        var last = name.lastIndexOf('.');
        var before = last < 0 ? -1 : name.lastIndexOf('.', last - 1);
        return name.substring(before + 1);
    }
}
