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

/// The way in for those in the same process: the same requests, without a connection. Like over
/// HTTP, answers tell only what is durable.
public final class InProcessApi {

    /// An answer.
    public record Answer(int status, Json body) {}

    private final Router router;
    private final DurabilityWait durability;

    InProcessApi(Router router, DurabilityWait durability) {
        this.router = router;
        this.durability = durability;
    }

    /// The way in for those who do nothing but write to the same server. Answers may tell what is
    /// not durable yet, since what they make of it cannot become durable before.
    public InProcessApi ahead() {
        return new InProcessApi(router, DurabilityWait.NONE);
    }

    /// Sends a request that is not a watch.
    ///
    /// @param target whose names are as they are, with nothing escaped
    public Answer send(
            User user,
            String method,
            RequestTarget.OfObjects target,
            RequestQuery query,
            String contentType,
            Optional<Json> body) {
        var asked =
                new ApiRequest(
                        method,
                        target,
                        query,
                        user,
                        name -> name.equals("Content-Type") ? List.of(contentType) : List.of(),
                        new ApiRequest.Body.Value(body));
        try {
            var reply =
                    durability.answer(
                            () -> {
                                RequestTarget.check(target);
                                return router.answer(asked);
                            },
                            ServerResponse::failure);
            if (reply instanceof ServerResponse.Content content) {
                return answer(content);
            }
            reply.giveUp();
            return answer(ServerResponse.failure(ApiError.badRequest("ask for this over HTTP")));
        } catch (StoreException e) {
            return answer(
                    ServerResponse.failure(ApiError.unavailable(String.valueOf(e.getMessage()))));
        }
    }

    private static Answer answer(ServerResponse.Content content) {
        return switch (content.body()) {
            case ServerResponse.Body.Value(var json, _) -> new Answer(content.status(), json);
            case ServerResponse.Body.Text(var bytes) -> new Answer(content.status(), parsed(bytes));
            case ServerResponse.Body.Streamed(var list) ->
                    new Answer(content.status(), parsed(list.bytes()));
        };
    }

    private static Json parsed(byte[] bytes) {
        return JsonReader.read(bytes) instanceof ParseResult.Documents(var documents)
                ? documents.getFirst().root()
                : JsonNull.INSTANCE;
    }
}
