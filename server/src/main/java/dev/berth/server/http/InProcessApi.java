package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.server.access.User;
import dev.berth.server.registry.ApiError;
import dev.berth.server.store.StoreException;
import java.util.List;
import java.util.Optional;

/// In-process access to the API: the same requests without a connection. As over HTTP, responses
/// contain only durable data.
public final class InProcessApi {

    /// A response.
    public record Response(int status, Json body) {}

    private final Router router;
    private final DurabilityWait durability;

    InProcessApi(Router router, DurabilityWait durability) {
        this.router = router;
        this.durability = durability;
    }

    /// Access for clients that only write to the same server. Responses may contain data that is
    /// not durable yet: writes that are based on it cannot become durable before it.
    public InProcessApi withoutDurabilityWait() {
        return new InProcessApi(router, DurabilityWait.NONE);
    }

    /// Sends a request that is not a watch.
    ///
    /// @param target path with unescaped names
    public Response send(
            User user,
            String method,
            RequestTarget.ResourcePath target,
            RequestQuery query,
            String contentType,
            Optional<Json> body) {
        var request =
                new ApiRequest(
                        method,
                        target,
                        query,
                        user,
                        name -> name.equals("Content-Type") ? List.of(contentType) : List.of(),
                        new ApiRequest.Body.Value(body));
        try {
            var response =
                    durability.respond(
                            () -> {
                                RequestTarget.check(target);
                                return router.handle(request);
                            },
                            ServerResponse::error);
            if (response instanceof ServerResponse.Content content) {
                return response(content);
            }
            response.release();
            return response(
                    ServerResponse.error(
                            ApiError.badRequest("this request is supported over HTTP only")));
        } catch (StoreException e) {
            return response(
                    ServerResponse.error(ApiError.unavailable(String.valueOf(e.getMessage()))));
        }
    }

    private static Response response(ServerResponse.Content content) {
        return switch (content.body()) {
            case ServerResponse.Body.Value(var json, _) -> new Response(content.status(), json);
            case ServerResponse.Body.Text(var bytes) ->
                    new Response(content.status(), parsed(bytes));
            case ServerResponse.Body.Streamed(var list) ->
                    new Response(content.status(), parsed(list.bytes()));
        };
    }

    private static Json parsed(byte[] bytes) {
        return JsonReader.read(bytes) instanceof ParseResult.Documents(var documents)
                ? documents.getFirst().root()
                : JsonNull.INSTANCE;
    }
}
