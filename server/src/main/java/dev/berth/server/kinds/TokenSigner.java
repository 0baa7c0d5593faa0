package dev.berth.server.kinds;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.RequestContext;

/// Signs tokens for service accounts.
@FunctionalInterface
public interface TokenSigner {

    /// The `TokenRequest` with its status: the token, and until when it is good.
    ///
    /// @param request checked, with its defaults
    /// @throws dev.berth.server.registry.ApiException when there is no token for such a request
    JsonObject issue(JsonObject serviceAccount, JsonObject request, RequestContext context);
}
