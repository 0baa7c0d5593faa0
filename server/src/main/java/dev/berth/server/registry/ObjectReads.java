package dev.berth.server.registry;

import dev.berth.core.admission.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reading single objects and lists.
public final class ObjectReads {

    /// How long a reader waits for a state that is not there yet.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final ApiError.About LIST_OPTIONS =
            new ApiError.About("meta.k8s.io", "listoptions", "ListOptions", "");

    /// One page of a list.
    ///
    /// @param continueAt where the next page begins; empty when there is none
    /// @param remaining how many follow; -1 when that is not known
    public record Page(long revision, List<Entry> entries, String continueAt, long remaining) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    private final Store store;

    public ObjectReads(Store store) {
        this.store = store;
    }

    /// The object of that name.
    ///
    /// @param resourceVersion the object must be at least of that state; empty for the newest
    public Entry get(Resource resource, String namespace, String name, String resourceVersion) {
        reach(resourceVersion);
        return store.get(new ObjectKey(resource.collection(), namespace, name))
                .orElseThrow(() -> ApiError.notFound(resource.about(name)).exception());
    }

    /// Waits for the state that a reader wants to see.
    private void reach(String resourceVersion) {
        if (resourceVersion.isEmpty()) {
            store.sync();
            return;
        }
        var wanted = revision(resourceVersion);
        try {
            if (wanted > 0 && !store.await(wanted, PATIENCE)) {
                throw tooLarge(wanted, store.revision());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
    }

    private static ApiException tooLarge(long wanted, long newest) {
        var message = "Too large resource version: %d, current: %d".formatted(wanted, newest);
        var cause =
                JsonObject.of("reason", Json.of("ResourceVersionTooLarge"))
                        .with("message", Json.of("Too large resource version"));
        return new ApiError(
                        504,
                        "Timeout",
                        "Timeout: " + message,
                        JsonObject.of("causes", new JsonArray(List.of(cause)))
                                .with("retryAfterSeconds", Json.of(1)))
                .exception();
    }

    /// Reads a `resourceVersion` of a request.
    public static long revision(String resourceVersion) {
        try {
            var revision = Long.parseLong(resourceVersion);
            if (revision >= 0) {
                return revision;
            }
        } catch (NumberFormatException _) {
            // Refused below.
        }
        throw ApiError.invalid(
                        LIST_OPTIONS,
                        List.of(
                                FieldError.invalid(
                                        FieldPath.of("resourceVersion"),
                                        resourceVersion,
                                        "must be a number that this server has given")))
                .exception();
    }

    /// The objects that a query asks for.
    ///
    /// @param namespace empty for all
    public Page list(Resource resource, String namespace, ListQuery query) {
        check(query);
        var at = 0L;
        var after = "";
        if (!query.continueAt().isEmpty()) {
            var token = ListToken.read(query.continueAt());
            at = token.revision();
            after = token.after();
        } else if (query.match().equals("Exact") || isFirstOfPages(query)) {
            at = revision(query.resourceVersion());
        } else {
            reach(query.resourceVersion());
        }
        return page(new CollectionScope(resource.collection(), namespace), query, at, after);
    }

    /// Pages of a state that somebody names are pages of just that state.
    private static boolean isFirstOfPages(ListQuery query) {
        return query.limit() > 0
                && query.match().isEmpty()
                && !query.resourceVersion().isEmpty()
                && !query.resourceVersion().equals("0");
    }

    private static void check(ListQuery query) {
        var problems = new ArrayList<FieldError>();
        var path = FieldPath.of("resourceVersionMatch");
        if (!query.match().isEmpty()) {
            if (query.resourceVersion().isEmpty()) {
                problems.add(
                        FieldError.forbidden(
                                path,
                                "resourceVersionMatch is forbidden unless resourceVersion is"
                                        + " provided"));
            }
            if (!query.continueAt().isEmpty()) {
                problems.add(
                        FieldError.forbidden(
                                path,
                                "resourceVersionMatch is forbidden when continue is provided"));
            }
            if (!List.of("Exact", "NotOlderThan").contains(query.match())) {
                problems.add(
                        FieldError.notSupported(
                                path, query.match(), List.of("Exact", "NotOlderThan", "")));
            }
            if (query.match().equals("Exact") && query.resourceVersion().equals("0")) {
                problems.add(
                        FieldError.forbidden(
                                path,
                                "resourceVersionMatch \"exact\" is forbidden for resourceVersion"
                                        + " \"0\""));
            }
        }
        if (!problems.isEmpty()) {
            throw ApiError.invalid(LIST_OPTIONS, problems).exception();
        }
        if (!query.continueAt().isEmpty()
                && !query.resourceVersion().isEmpty()
                && !query.resourceVersion().equals("0")) {
            throw ApiError.badRequest(
                            "specifying resource version is not allowed when using continue")
                    .exception();
        }
    }

    private Page page(CollectionScope scope, ListQuery query, long at, String after) {
        var selection = query.selection();
        var chosen = new ArrayList<Entry>();
        var from = after;
        while (true) {
            // With a selector a page of the store may hold fewer than were asked for.
            var listed = listed(store.list(scope, at, from, query.limit()), at);
            var walked = listed.entries();
            for (var i = 0; i < walked.size(); i++) {
                if (selection.matches(walked.get(i))) {
                    chosen.add(walked.get(i));
                }
                if (query.limit() > 0 && chosen.size() == query.limit()) {
                    var left = listed.remaining() + walked.size() - i - 1;
                    return cut(listed.revision(), chosen, left, selection.isEverything());
                }
            }
            if (listed.remaining() == 0) {
                return new Page(listed.revision(), chosen, "", -1);
            }
            at = listed.revision();
            from = walked.getLast().key().relativePath();
        }
    }

    private static Page cut(long revision, List<Entry> chosen, int left, boolean exact) {
        if (left == 0) {
            return new Page(revision, chosen, "", -1);
        }
        var token = new ListToken(revision, chosen.getLast().key().relativePath());
        return new Page(revision, chosen, token.text(), exact ? left : -1);
    }

    private static ListResult.Page listed(ListResult listing, long at) {
        return switch (listing) {
            case ListResult.Page page -> page;
            case ListResult.Compacted _ ->
                    throw ApiError.expired(
                                    "The provided continue parameter or resourceVersion is too old"
                                            + " to display a consistent list result. Start a new"
                                            + " list without it.")
                            .exception();
            case ListResult.Future(var newest) -> throw tooLarge(at, newest);
        };
    }
}
