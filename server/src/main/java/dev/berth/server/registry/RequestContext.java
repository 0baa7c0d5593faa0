package dev.berth.server.registry;

import dev.berth.core.admission.FeatureGates;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import java.time.Instant;

/// The circumstances of one request, for rules that depend on them.
///
/// @param verb of authorization: `create`, `update`, `patch`, …
/// @param namespace of the request; empty for none
/// @param objects what is stored
public record RequestContext(
        User user,
        String verb,
        String namespace,
        Instant now,
        boolean dryRun,
        FeatureGates gates,
        Authorizer authorizer,
        StoredObjects objects) {

    /// The same in another namespace.
    public RequestContext in(String other) {
        return new RequestContext(user, verb, other, now, dryRun, gates, authorizer, objects);
    }

    /// The same without effect.
    public RequestContext dry() {
        return new RequestContext(user, verb, namespace, now, true, gates, authorizer, objects);
    }
}
