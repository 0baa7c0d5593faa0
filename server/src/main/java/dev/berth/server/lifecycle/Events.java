package dev.berth.server.lifecycle;

import dev.berth.server.registry.Objects;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Times;
import dev.berth.server.store.Listing;
import dev.berth.server.store.Scope;
import java.time.Duration;

/// Removes events that are old news.
final class Events {

    /// How long an event is kept after it was last seen.
    private static final Duration KEPT = Duration.ofHours(1);

    private static final String COLLECTION = "events";

    private final Registry registry;

    Events(Registry registry) {
        this.registry = registry;
    }

    void sweep() {
        var oldest = registry.clock().instant().minus(KEPT);
        if (!(registry.store().list(Scope.all(COLLECTION), 0, "", 0)
                instanceof Listing.Page page)) {
            return;
        }
        for (var entry : page.entries()) {
            var object = Objects.tree(entry);
            var seen =
                    Times.read(object.text("lastTimestamp"))
                            .or(() ->
                                    Times.read(
                                            object.objectOrEmpty("metadata")
                                                    .text("creationTimestamp")));
            if (seen.filter(time -> time.isBefore(oldest)).isPresent()) {
                // The revision makes sure that an event that was seen again meanwhile stays.
                registry.store().delete(entry.key(), entry.revision());
            }
        }
    }
}
