package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import dev.berth.server.access.User;
import dev.berth.server.registry.Failure;
import dev.berth.server.store.StoreException;
import java.util.List;
import java.util.Optional;

/// The way in for those in the same process: the same requests, without a connection. Like over
/// HTTP, answers tell only what is durable.
public final class LocalDoor {

    /// An answer.
    public record Answer(int status, Json body) {}

    private final Router router;
    private final Durability durability;

    LocalDoor(Router router, Durability durability) {
        this.router = router;
        this.durability = durability;
    }

    /// The way in for those who do nothing but write to the same server. Answers may tell what is
    /// not durable yet, since what they make of it cannot become durable before.
    public LocalDoor ahead() {
        return new LocalDoor(router, Durability.NONE);
    }

    /// Sends a request that is not a watch.
    ///
    /// @param target whose names are as they are, with nothing escaped
    public Answer send(
            User user,
            String method,
            Target.OfObjects target,
            Query query,
            String contentType,
            Optional<Json> body) {
        var asked =
                new Asked(
                        method,
                        target,
                        query,
                        user,
                        name -> name.equals("Content-Type") ? List.of(contentType) : List.of(),
                        new Asked.Body.Value(body));
        try {
            var reply =
                    durability.answer(
                            () -> {
                                Target.check(target);
                                return router.answer(asked);
                            },
                            Reply::failure);
            if (reply instanceof Reply.Content content) {
                return answer(content);
            }
            reply.giveUp();
            return answer(Reply.failure(Failure.badRequest("ask for this over HTTP")));
        } catch (StoreException e) {
            return answer(Reply.failure(Failure.unavailable(String.valueOf(e.getMessage()))));
        }
    }

    private static Answer answer(Reply.Content content) {
        return switch (content.body()) {
            case Reply.Body.Value(var json, _) -> new Answer(content.status(), json);
            case Reply.Body.Text(var bytes) -> new Answer(content.status(), parsed(bytes));
            case Reply.Body.Streamed(var list) ->
                    new Answer(content.status(), parsed(list.bytes()));
        };
    }

    private static Json parsed(byte[] bytes) {
        return JsonReader.read(bytes) instanceof Reading.Documents(var documents)
                ? documents.getFirst().root()
                : JsonNull.INSTANCE;
    }
}
