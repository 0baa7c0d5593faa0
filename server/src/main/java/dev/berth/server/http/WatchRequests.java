package dev.berth.server.http;

import dev.berth.core.admission.FieldError;
import dev.berth.model.json.FieldPath;
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

/// Begins watches.
final class WatchRequests {

    /// A watch without a time of its own ends somewhere between these, so that not all end at once.
    private static final int LEAST_SECONDS = 1800;

    private static final int MOST_SECONDS = 3600;

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

    WatchFeed begin(
            ObjectRendering rendering,
            ObjectSelection selection,
            String namespace,
            RequestQuery query) {
        var wantsInitial = query.flag("sendInitialEvents");
        var saysInitial = !query.text("sendInitialEvents").isEmpty();
        var match = query.text("resourceVersionMatch");
        check(saysInitial, match);
        var asked = query.text("resourceVersion");
        var fromNow = asked.isEmpty() || asked.equals("0");
        var bookmarks = query.flag("allowWatchBookmarks");
        var initial = new ArrayList<Entry>();
        var revision = fromNow ? 0 : ObjectReads.revision(asked);
        if (wantsInitial || (fromNow && !saysInitial)) {
            var page =
                    reads.list(
                            rendering.resource(),
                            namespace,
                            // The newest state is older than none, so there is nothing to match.
                            new ListQuery(selection, asked, asked.isEmpty() ? "" : match, 0, ""));
            initial.addAll(page.entries());
            revision = page.revision();
        } else if (fromNow) {
            revision = store.sync();
        }
        var scope = new CollectionScope(rendering.resource().collection(), namespace);
        var course =
                new WatchFeed.Course(
                        initial, revision, wantsInitial && bookmarks, bookmarks, timeout(query));
        var watch = new DurableWatch(store, scope, revision);
        return new WatchFeed(rendering, selection, watch, course, clock);
    }

    private static void check(boolean saysInitial, String match) {
        var path = FieldPath.of("resourceVersionMatch");
        var problems = new ArrayList<FieldError>();
        if (saysInitial && !match.equals("NotOlderThan")) {
            problems.add(
                    FieldError.forbidden(
                            path,
                            "sendInitialEvents requires setting resourceVersionMatch to"
                                    + " NotOlderThan"));
        }
        if (!saysInitial && !match.isEmpty()) {
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
        var asked = query.number("timeoutSeconds").orElse(0);
        return Duration.ofSeconds(
                asked > 0
                        ? Math.min(asked, Integer.MAX_VALUE)
                        : ThreadLocalRandom.current().nextInt(LEAST_SECONDS, MOST_SECONDS));
    }
}
