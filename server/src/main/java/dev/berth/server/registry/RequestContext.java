package dev.berth.server.registry;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import java.time.Instant;

/// The context of one request, for admission rules and strategies.
///
/// @param verb the API verb: `create`, `update`, `patch`, …
/// @param namespace namespace of the request; empty for none
/// @param objects the stored objects
public record RequestContext(
        User user,
        String verb,
        String namespace,
        Instant now,
        boolean dryRun,
        FeatureGates gates,
        Authorizer authorizer,
        StoredObjects objects) {

    /// The same context in another namespace.
    public RequestContext in(String other) {
        return new RequestContext(user, verb, other, now, dryRun, gates, authorizer, objects);
    }

    /// The same context as a dry run.
    public RequestContext dry() {
        return new RequestContext(user, verb, namespace, now, true, gates, authorizer, objects);
    }
}
