package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.LinkedHashMap;
import java.util.Map;

/// The types that have an order, by the names that overload ids use.
final class ElementTypes {

    private ElementTypes() {}

    /// As Kubernetes' libraries name them.
    static Map<String, CelType> comparable() {
        var types = new LinkedHashMap<String, CelType>();
        types.put("int", SimpleType.INT);
        types.put("uint", SimpleType.UINT);
        types.put("double", SimpleType.DOUBLE);
        types.put("bool", SimpleType.BOOL);
        types.put("duration", SimpleType.DURATION);
        types.put("timestamp", SimpleType.TIMESTAMP);
        types.put("string", SimpleType.STRING);
        types.put("bytes", SimpleType.BYTES);
        return types;
    }

    /// As cel-go's extensions name them: by the full name of the type.
    static String qualifiedName(String name) {
        return switch (name) {
            case "duration" -> "google.protobuf.Duration";
            case "timestamp" -> "google.protobuf.Timestamp";
            default -> name;
        };
    }

    static boolean isText(CelType type) {
        return type.equals(SimpleType.STRING) || type.equals(SimpleType.BYTES);
    }
}
