package dev.berth.server.registry;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.model.json.JsonObject;

/// Create and update rules of one kind: defaulting, validation and generation.
///
/// Objects are in the internal version, without unknown fields or fields of wrong types. Common
/// metadata (uid, timestamps, resourceVersion, deletion, managed fields) is already set and
/// validated. A strategy sets defaults, restores fields that the client may not change, increments
/// the generation where the kind has one, and validates.
public interface Strategy {

    Admitted create(JsonObject object, RequestContext context);

    Admitted update(JsonObject old, JsonObject object, RequestContext context);

    /// An update through `/status`, for kinds that have it.
    Admitted updateStatus(JsonObject old, JsonObject object, RequestContext context);

    /// Sets defaults, for objects from clients and for patched objects.
    JsonObject defaults(JsonObject object, RequestContext context);
}
