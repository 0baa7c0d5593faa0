package dev.berth.server.lifecycle;

import dev.berth.server.registry.ApiTimes;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.ListResult;
import java.time.Duration;

/// Deletes events after their time to live.
final class EventExpiry {

    /// Time to live of an event since it was last seen.
    private static final Duration TTL = Duration.ofHours(1);

    private static final String COLLECTION = "events";

    private final Registry registry;

    EventExpiry(Registry registry) {
        this.registry = registry;
    }

    void deleteExpired() {
        var oldest = registry.clock().instant().minus(TTL);
        if (!(registry.store().list(CollectionScope.all(COLLECTION), 0, "", 0)
                instanceof ListResult.Page page)) {
            return;
        }
        for (var entry : page.entries()) {
            var object = StoredObjects.tree(entry);
            var seen =
                    ApiTimes.read(object.text("lastTimestamp"))
                            .or(() ->
                                    ApiTimes.read(
                                            object.objectOrEmpty("metadata")
                                                    .text("creationTimestamp")));
            if (seen.filter(time -> time.isBefore(oldest)).isPresent()) {
                // The revision ensures that an event that was updated meanwhile is kept.
                registry.store().delete(entry.key(), entry.revision());
            }
        }
    }
}
