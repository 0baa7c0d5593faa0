package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.LinkedHashMap;
import java.util.Map;

/// The comparable types, by their names in overload ids.
final class ElementTypes {

    private ElementTypes() {}

    /// Names in Kubernetes' libraries.
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

    /// Names in cel-go's extensions: the full name of the type.
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
