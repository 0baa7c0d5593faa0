package dev.berth.server.kinds;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.RequestContext;
import java.util.Optional;

/// Keeps people from giving away what they have not got.
@FunctionalInterface
public interface PrivilegeCheck {

    /// Why a role or a binding may not be written by the caller; empty when it may.
    ///
    /// @param kind `Role`, `ClusterRole`, `RoleBinding` or `ClusterRoleBinding`
    Optional<String> refusal(String kind, JsonObject object, RequestContext context);
}
