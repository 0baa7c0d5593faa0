package dev.berth.server.registry;

import dev.berth.model.json.JsonLength;
import dev.berth.model.json.JsonObject;
import java.util.function.IntSupplier;

/// Maximum size of a stored object: 1.5 MiB in every store, which is the default limit of etcd. A
/// request body may be larger, since it may be indented.
public final class StoredSize {

    /// Size of an etcd request without the object: keys and lengths.
    private static final int REQUEST_OVERHEAD = 4 << 10;

    public static final int MAX_BYTES = (3 << 19) - REQUEST_OVERHEAD;

    private StoredSize() {}

    /// Rejects an object that is too large. An object that was stored before the limit existed may
    /// be replaced by a smaller one.
    ///
    /// @param before size of the replaced object; 0 on create
    static void check(Resource resource, String name, int bytes, int before) {
        if (bytes > MAX_BYTES && bytes > before) {
            var about = resource.about(name);
            throw ApiError.tooLarge(
                            "Request entity too large: %s \"%s\" has %d bytes as it is stored,"
                                            .formatted(about.qualified(), name, bytes)
                                    + " the limit is "
                                    + MAX_BYTES)
                    .exception();
        }
    }

    /// Rejects an object of a request before it is defaulted and validated, if it is too large as
    /// sent.
    ///
    /// @param before as in [#check]; called only when the object is larger than the limit
    public static void checkSent(Resource resource, JsonObject object, IntSupplier before) {
        if (JsonLength.leftOf(MAX_BYTES, object) >= 0) {
            return;
        }
        var limit = Math.max(before.getAsInt(), MAX_BYTES);
        if (JsonLength.leftOf(limit, object) < 0) {
            throw ApiError.tooLarge(
                            "Request entity too large: %s \"%s\" has more than %d bytes"
                                    .formatted(
                                            resource.about("").qualified(),
                                            Metadata.name(object),
                                            limit))
                    .exception();
        }
    }

    /// The error for an object that would be too large with the defaults of its schema.
    public static ApiException tooManyDefaults() {
        return ApiError.tooLarge(
                        "Request entity too large: defaults of the schema add more than %d bytes"
                                .formatted(MAX_BYTES))
                .exception();
    }
}
