package dev.berth.server.registry;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.model.json.JsonObject;

/// The rules of one kind: what becomes of an object on its way into the store.
///
/// Objects are of the version that travels inside, with known fields of the right types only.
/// Metadata that every kind shares (uid, times, revision, deletion, owners) has been set and
/// checked already; a strategy fills in defaults, takes back what the writer may not change, counts
/// the generation where the kind does, and judges.
public interface Strategy {

    Admitted create(JsonObject object, RequestContext context);

    Admitted update(JsonObject old, JsonObject object, RequestContext context);

    /// Through `/status`, for kinds that have it.
    Admitted updateStatus(JsonObject old, JsonObject object, RequestContext context);

    /// Fills in defaults, as is done for whatever is read from a client and for patched objects.
    JsonObject defaults(JsonObject object, RequestContext context);
}
