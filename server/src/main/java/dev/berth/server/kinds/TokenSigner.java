package dev.berth.server.kinds;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.RequestContext;

/// Signs service account tokens.
@FunctionalInterface
public interface TokenSigner {

    /// The `TokenRequest` with its status: the token and its expiration.
    ///
    /// @param request validated, with defaults
    /// @throws dev.berth.server.registry.ApiException if no token can be issued for the request
    JsonObject issue(JsonObject serviceAccount, JsonObject request, RequestContext context);
}
