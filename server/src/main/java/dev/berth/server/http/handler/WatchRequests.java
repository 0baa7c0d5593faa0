package dev.berth.server.http.handler;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.server.http.request.RequestQuery;
import dev.berth.server.http.response.ObjectRendering;
import dev.berth.server.http.response.WatchFeed;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ListQuery;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.DurableWatch;
import dev.berth.server.store.Entry;
import dev.berth.server.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// Starts watches.
final class WatchRequests {

    /// Watches without `timeoutSeconds` end at a random time between these limits, so that not all
    /// end at once.
    private static final int MIN_SECONDS = 1800;

    private static final int MAX_SECONDS = 3600;

    private static final ApiError.About LIST_OPTIONS =
            new ApiError.About("meta.k8s.io", "listoptions", "ListOptions", "");

    private final Store store;
    private final ObjectReads reads;
    private final Clock clock;

    WatchRequests(Store store, ObjectReads reads, Clock clock) {
        this.store = store;
        this.reads = reads;
        this.clock = clock;
    }

    WatchFeed start(
            ObjectRendering rendering,
            ObjectSelection selection,
            String namespace,
            RequestQuery query) {
        var sendInitialEvents = query.flag("sendInitialEvents");
        var hasSendInitialEvents = !query.text("sendInitialEvents").isEmpty();
        var match = query.text("resourceVersionMatch");
        check(hasSendInitialEvents, match);
        var requested = query.text("resourceVersion");
        var fromNow = requested.isEmpty() || requested.equals("0");
        var bookmarks = query.flag("allowWatchBookmarks");
        var initial = new ArrayList<Entry>();
        var revision = fromNow ? 0 : ObjectReads.revision(requested);
        if (sendInitialEvents || (fromNow && !hasSendInitialEvents)) {
            var page =
                    reads.list(
                            rendering.resource(),
                            namespace,
                            // Without a resourceVersion the list is the latest state, and `match`
                            // is not allowed.
                            new ListQuery(
                                    selection, requested, requested.isEmpty() ? "" : match, 0, ""));
            initial.addAll(page.entries());
            revision = page.revision();
        } else if (fromNow) {
            revision = store.sync();
        }
        var scope = new CollectionScope(rendering.resource().collection(), namespace);
        var options =
                new WatchFeed.Options(
                        initial,
                        revision,
                        sendInitialEvents && bookmarks,
                        bookmarks,
                        timeout(query));
        var watch = new DurableWatch(store, scope, revision);
        return new WatchFeed(rendering, selection, watch, options, clock);
    }

    private static void check(boolean hasSendInitialEvents, String match) {
        var path = FieldPath.of("resourceVersionMatch");
        var problems = new ArrayList<FieldError>();
        if (hasSendInitialEvents && !match.equals("NotOlderThan")) {
            problems.add(
                    FieldError.forbidden(
                            path,
                            "sendInitialEvents requires setting resourceVersionMatch to"
                                    + " NotOlderThan"));
        }
        if (!hasSendInitialEvents && !match.isEmpty()) {
            problems.add(
                    FieldError.forbidden(
                            path,
                            "resourceVersionMatch is forbidden for watch unless sendInitialEvents"
                                    + " is provided"));
        }
        if (!problems.isEmpty()) {
            throw ApiError.invalid(LIST_OPTIONS, List.copyOf(problems)).exception();
        }
    }

    private static Duration timeout(RequestQuery query) {
        var requested = query.number("timeoutSeconds").orElse(0);
        return Duration.ofSeconds(
                requested > 0
                        ? Math.min(requested, Integer.MAX_VALUE)
                        : ThreadLocalRandom.current().nextInt(MIN_SECONDS, MAX_SECONDS));
    }
}
