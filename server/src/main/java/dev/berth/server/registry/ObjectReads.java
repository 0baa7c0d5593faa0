package dev.berth.server.registry;

import dev.berth.core.admission.field.FieldError;
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

/// Reads single objects and lists.
public final class ObjectReads {

    /// How long a read waits for a future revision.
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

    private static final ApiError.About LIST_OPTIONS =
            new ApiError.About("meta.k8s.io", "listoptions", "ListOptions", "");

    /// One page of a list.
    ///
    /// @param continueToken token of the next page; empty for the last page
    /// @param remaining number of objects after this page; -1 if unknown
    public record Page(long revision, List<Entry> entries, String continueToken, long remaining) {
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
    /// @param resourceVersion minimum revision; empty for the latest
    public Entry get(Resource resource, String namespace, String name, String resourceVersion) {
        awaitRevision(resourceVersion);
        return store.get(new ObjectKey(resource.collection(), namespace, name))
                .orElseThrow(() -> ApiError.notFound(resource.about(name)).exception());
    }

    /// Waits until the store has reached the requested revision.
    private void awaitRevision(String resourceVersion) {
        if (resourceVersion.isEmpty()) {
            store.sync();
            return;
        }
        var requested = revision(resourceVersion);
        try {
            if (requested > 0 && !store.await(requested, READ_TIMEOUT)) {
                throw tooLarge(requested, store.revision());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiError.unavailable("the server is stopping").exception();
        }
    }

    private static ApiException tooLarge(long requested, long newest) {
        var message = "Too large resource version: %d, current: %d".formatted(requested, newest);
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

    /// Parses the `resourceVersion` of a request.
    public static long revision(String resourceVersion) {
        try {
            var revision = Long.parseLong(resourceVersion);
            if (revision >= 0) {
                return revision;
            }
        } catch (NumberFormatException _) {
            // Rejected below.
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

    /// The objects that match a query.
    ///
    /// @param namespace empty for all
    public Page list(Resource resource, String namespace, ListQuery query) {
        check(query);
        var at = 0L;
        var after = "";
        if (!query.continueToken().isEmpty()) {
            var token = ListToken.read(query.continueToken());
            at = token.revision();
            after = token.after();
        } else if (query.match().equals("Exact") || isFirstOfExactPages(query)) {
            at = revision(query.resourceVersion());
        } else {
            awaitRevision(query.resourceVersion());
        }
        return page(new CollectionScope(resource.collection(), namespace), query, at, after);
    }

    /// A paged list at a given resourceVersion is exact: all pages are of that revision.
    private static boolean isFirstOfExactPages(ListQuery query) {
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
            if (!query.continueToken().isEmpty()) {
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
        if (!query.continueToken().isEmpty()
                && !query.resourceVersion().isEmpty()
                && !query.resourceVersion().equals("0")) {
            throw ApiError.badRequest(
                            "specifying resource version is not allowed when using continue")
                    .exception();
        }
    }

    private Page page(CollectionScope scope, ListQuery query, long at, String after) {
        var selection = query.selection();
        var matching = new ArrayList<Entry>();
        var from = after;
        while (true) {
            // With a selector, a page of the store may contain fewer matches than requested.
            var listed = listed(store.list(scope, at, from, query.limit()), at);
            var entries = listed.entries();
            for (var i = 0; i < entries.size(); i++) {
                if (selection.matches(entries.get(i))) {
                    matching.add(entries.get(i));
                }
                if (query.limit() > 0 && matching.size() == query.limit()) {
                    var left = listed.remaining() + entries.size() - i - 1;
                    return truncated(listed.revision(), matching, left, selection.isEverything());
                }
            }
            if (listed.remaining() == 0) {
                return new Page(listed.revision(), matching, "", -1);
            }
            at = listed.revision();
            from = entries.getLast().key().relativePath();
        }
    }

    private static Page truncated(long revision, List<Entry> matching, int left, boolean exact) {
        if (left == 0) {
            return new Page(revision, matching, "", -1);
        }
        var token = new ListToken(revision, matching.getLast().key().relativePath());
        return new Page(revision, matching, token.text(), exact ? left : -1);
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
