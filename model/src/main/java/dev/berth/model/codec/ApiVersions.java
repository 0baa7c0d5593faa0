package dev.berth.model.codec;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;

/// Conversion of objects between the versions of the API, as trees.
///
/// Versions `v1`, `v1beta2` and `v1alpha3` of a kind have the same fields; only `v1beta1` differs.
/// Conversion does not judge: what is invalid stays so.
public final class ApiVersions {

    private static final String OLDEST = "v1beta1";

    private ApiVersions() {}

    /// The object in the version that travels inside.
    public static JsonObject toInternal(Kind<?> kind, String version, JsonObject object) {
        var converted = differs(kind, version) ? V1beta1.toInternal(kind, object) : object;
        return labelled(kind, kind.version(), converted);
    }

    /// An object of the version that travels inside, in another version.
    public static JsonObject fromInternal(Kind<?> kind, String version, JsonObject object) {
        var converted = differs(kind, version) ? V1beta1.fromInternal(kind, object) : object;
        return labelled(kind, version, converted);
    }

    /// The object in another version.
    public static JsonObject convert(Kind<?> kind, String from, String to, JsonObject object) {
        return fromInternal(kind, to, toInternal(kind, from, object));
    }

    /// A list of objects in another version.
    public static JsonObject convertList(Kind<?> kind, String from, String to, JsonObject list) {
        var items = new ArrayList<Json>();
        for (var item : list.items("items")) {
            items.add(item instanceof JsonObject object ? convert(kind, from, to, object) : item);
        }
        return list.beginningWith(head(kind.apiVersion(to), kind.listName()))
                .with("items", new JsonArray(items));
    }

    /// The version that an object says it is of; the kind's own when it says none.
    static String versionOf(Kind<?> kind, JsonObject object) {
        var apiVersion = object.text("apiVersion");
        return apiVersion.isEmpty()
                ? kind.version()
                : apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /// True when the version has other fields than the one that travels inside.
    static boolean differs(Kind<?> kind, String version) {
        return version.equals(OLDEST) && !version.equals(kind.version());
    }

    /// The fields of the kind in that version.
    static FieldLayout layout(Kind<?> kind, String version) {
        return differs(kind, version) ? V1beta1.layout(kind) : kind.shape().layout();
    }

    private static JsonObject labelled(Kind<?> kind, String version, JsonObject object) {
        return object.beginningWith(kind.head(version));
    }

    /// What an object of a kind begins with.
    public static JsonObject head(String apiVersion, String kind) {
        return JsonObject.of("apiVersion", Json.of(apiVersion)).with("kind", Json.of(kind));
    }
}
