package dev.berth.server.kinds;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.RequestContext;
import java.util.Optional;

/// Privilege escalation check of RBAC: users can grant only permissions that they have.
@FunctionalInterface
public interface PrivilegeCheck {

    /// The error if the caller may not write a role or binding; empty if it may.
    ///
    /// @param kind `Role`, `ClusterRole`, `RoleBinding` or `ClusterRoleBinding`
    Optional<String> refusal(String kind, JsonObject object, RequestContext context);
}
