package dev.berth.server.registry;

import dev.berth.model.json.JsonLength;
import dev.berth.model.json.JsonObject;
import java.util.function.IntSupplier;

/// The largest object that is stored: 1.5 MiB, which is what etcd accepts by default, in every
/// store. A request body may be larger, since it may be indented.
public final class StoredSize {

    /// What an etcd request holds beside the object: keys and lengths.
    private static final int REQUEST_OVERHEAD = 4 << 10;

    public static final int MAX_BYTES = (3 << 19) - REQUEST_OVERHEAD;

    private StoredSize() {}

    /// Refuses an object that is too large. One that was stored before there was a limit may be
    /// replaced by a smaller one.
    ///
    /// @param before the size of what it replaces; 0 when it is new
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

    /// Refuses an object of a request before it is defaulted and validated, if it is too large as
    /// it was sent.
    ///
    /// @param before as in [#check]; asked for only when the object is larger than the limit
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

    /// The refusal of an object that would be too large with the defaults of its schema.
    public static ApiException tooManyDefaults() {
        return ApiError.tooLarge(
                        "Request entity too large: defaults of the schema add more than %d bytes"
                                .formatted(MAX_BYTES))
                .exception();
    }
}
