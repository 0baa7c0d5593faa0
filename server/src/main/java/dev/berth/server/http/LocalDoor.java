package dev.berth.server.http;

import dev.berth.server.access.User;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Refused;
import dev.berth.server.store.StoreException;
import java.util.List;

/// The way in for those in the same process: the same requests, without a connection.
public final class LocalDoor {

    /// An answer.
    @SuppressWarnings("ArrayRecordComponent")
    public record Answer(int status, byte[] body) {}

    private final Router router;

    LocalDoor(Router router) {
        this.router = router;
    }

    /// Sends a request that is not a watch.
    ///
    /// @param query as in an address, without the question mark
    public Answer send(
            User user, String method, String path, String query, String contentType, byte[] body) {
        try {
            var asked =
                    new Asked(
                            method,
                            Target.parse(path),
                            Query.parse(query),
                            user,
                            name -> name.equals("Content-Type") ? List.of(contentType) : List.of(),
                            () -> body);
            return switch (router.answer(asked)) {
                case Reply.Content content -> new Answer(content.status(), content.bytes());
                case Reply.Watching(var feed) -> {
                    feed.close();
                    throw Failure.badRequest("watch the store instead").refused();
                }
            };
        } catch (Refused refused) {
            var content = Reply.failure(refused.failure());
            return new Answer(content.status(), content.bytes());
        } catch (StoreException e) {
            var content = Reply.failure(Failure.unavailable(String.valueOf(e.getMessage())));
            return new Answer(content.status(), content.bytes());
        }
    }
}
