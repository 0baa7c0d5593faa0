package dev.berth.model.codec;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;

/// Conversion of objects between the versions of the API, as trees.
///
/// Versions `v1`, `v1beta2` and `v1alpha3` of a kind have the same fields; only `v1beta1` differs.
/// Conversion does not validate: invalid objects stay invalid.
public final class ApiVersions {

    private static final String OLDEST = "v1beta1";

    private ApiVersions() {}

    /// Converts an object to the internal version.
    public static JsonObject toInternal(Kind<?> kind, String version, JsonObject object) {
        var converted = differs(kind, version) ? V1beta1.toInternal(kind, object) : object;
        return labelled(kind, kind.version(), converted);
    }

    /// Converts an object of the internal version to another version.
    public static JsonObject fromInternal(Kind<?> kind, String version, JsonObject object) {
        var converted = differs(kind, version) ? V1beta1.fromInternal(kind, object) : object;
        return labelled(kind, version, converted);
    }

    /// Converts an object to another version.
    public static JsonObject convert(Kind<?> kind, String from, String to, JsonObject object) {
        return fromInternal(kind, to, toInternal(kind, from, object));
    }

    /// Converts a list of objects to another version.
    public static JsonObject convertList(Kind<?> kind, String from, String to, JsonObject list) {
        var items = new ArrayList<Json>();
        for (var item : list.items("items")) {
            items.add(item instanceof JsonObject object ? convert(kind, from, to, object) : item);
        }
        return list.beginningWith(head(kind.apiVersion(to), kind.listName()))
                .with("items", new JsonArray(items));
    }

    /// The version in the object's `apiVersion`; the internal version when it has none.
    static String versionOf(Kind<?> kind, JsonObject object) {
        var apiVersion = object.text("apiVersion");
        return apiVersion.isEmpty()
                ? kind.version()
                : apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /// True when the version has other fields than the internal one.
    static boolean differs(Kind<?> kind, String version) {
        return version.equals(OLDEST) && !version.equals(kind.version());
    }

    private static JsonObject labelled(Kind<?> kind, String version, JsonObject object) {
        return object.beginningWith(kind.head(version));
    }

    /// The members `apiVersion` and `kind`.
    public static JsonObject head(String apiVersion, String kind) {
        return JsonObject.of("apiVersion", Json.of(apiVersion)).with("kind", Json.of(kind));
    }
}
