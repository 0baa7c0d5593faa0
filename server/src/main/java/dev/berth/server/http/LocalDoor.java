package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.Reading;
import dev.berth.server.access.User;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Refused;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/// The way in for those in the same process: the same requests, without a connection.
public final class LocalDoor {

    /// An answer.
    public record Answer(int status, Json body) {}

    private final Router router;

    LocalDoor(Router router) {
        this.router = router;
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
        try {
            Target.check(target);
            var asked =
                    new Asked(
                            method,
                            target,
                            query,
                            user,
                            name -> name.equals("Content-Type") ? List.of(contentType) : List.of(),
                            new Asked.Body.Value(body));
            return switch (router.answer(asked)) {
                case Reply.Content content -> answer(content);
                case Reply.Flowing(_, var from) -> {
                    from.close();
                    throw Failure.badRequest("ask for this over HTTP").refused();
                }
                case Reply.Conversing _ ->
                        throw Failure.badRequest("ask for this over HTTP").refused();
                case Reply.Watching(var feed) -> {
                    feed.close();
                    throw Failure.badRequest("watch the store instead").refused();
                }
            };
        } catch (Refused refused) {
            return answer(Reply.failure(refused.failure()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (StoreException e) {
            return answer(Reply.failure(Failure.unavailable(String.valueOf(e.getMessage()))));
        }
    }

    private static Answer answer(Reply.Content content) {
        return switch (content.body()) {
            case Reply.Body.Value(var json, _) -> new Answer(content.status(), json);
            case Reply.Body.Text(var bytes) ->
                    JsonReader.read(bytes) instanceof Reading.Documents(var documents)
                            ? new Answer(content.status(), documents.getFirst().root())
                            : new Answer(content.status(), JsonNull.INSTANCE);
        };
    }
}
