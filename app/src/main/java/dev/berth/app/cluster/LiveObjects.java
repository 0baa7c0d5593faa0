package dev.berth.app.cluster;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.ApiVersions;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Lists all objects of a kind from a running cluster, as far as the user may list them.
///
/// A SelfSubjectAccessReview tells beforehand whether the user may list a kind in all namespaces.
/// If not, the objects of one namespace can be listed instead.
public final class LiveObjects {

    /// Timeout of a list; lists of large clusters take long.
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final int FORBIDDEN = 403;
    private static final ResourcePath ACCESS_REVIEWS =
            new ResourcePath("authorization.k8s.io", "v1", "selfsubjectaccessreviews");
    private static final ResourcePath USER_REVIEWS =
            new ResourcePath("authentication.k8s.io", "v1", "selfsubjectreviews");

    private final Cluster cluster;
    private final Optional<String> fallback;
    private final Codec codec = new Codec();

    /// Lists objects of all namespaces only.
    public LiveObjects(Cluster cluster) {
        this(cluster, Optional.empty());
    }

    /// Lists objects of all namespaces, or of one namespace if the user may list no other.
    public LiveObjects(Cluster cluster, String namespace) {
        this(cluster, Optional.of(namespace));
    }

    private LiveObjects(Cluster cluster, Optional<String> fallback) {
        this.cluster = cluster;
        this.fallback = fallback;
    }

    /// The result of a list.
    public sealed interface ListOutcome<T> {

        /// All objects of the cluster.
        record Listed<T>(List<T> objects) implements ListOutcome<T> {
            public Listed {
                objects = List.copyOf(objects);
            }
        }

        /// The objects of one namespace; the user may not list those of the others.
        record ListedInNamespace<T>(ResourcePath resource, String namespace, List<T> objects)
                implements ListOutcome<T> {
            public ListedInNamespace {
                objects = List.copyOf(objects);
            }
        }

        /// The user may not list these objects.
        record Forbidden<T>(ResourcePath resource) implements ListOutcome<T> {}

        /// The list failed; no server responds, for example.
        record Refused<T>(String reason) implements ListOutcome<T> {}

        /// The objects, or an exception with the reason.
        default List<T> orThrow(Function<String, ? extends RuntimeException> exception) {
            return switch (this) {
                case Listed<T>(var objects) -> objects;
                case ListedInNamespace<T>(_, _, var objects) -> objects;
                case Forbidden<T>(var resource) ->
                        throw exception.apply(new MissingPermissions().with(resource).text(""));
                case Refused<T>(var reason) -> throw exception.apply(reason);
            };
        }
    }

    public <T extends KubernetesObject> ListOutcome<T> all(Kind<T> kind) {
        return list(
                ResourcePath.of(kind),
                kind.isNamespaced(),
                handler -> cluster.watch(kind, "", handler),
                tree -> record(kind, tree));
    }

    private <T extends KubernetesObject> Optional<T> record(Kind<T> kind, JsonObject tree) {
        var apiVersion = tree.text("apiVersion");
        var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        var converted = ApiVersions.convert(kind, version, kind.version(), tree);
        return switch (codec.readTree(kind, converted, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<T> read -> Optional.of(read.object());
            case Decoded.Refused<T> _ -> Optional.empty();
        };
    }

    /// The objects as trees, for kinds without records and for checks of the written fields.
    public ListOutcome<JsonObject> trees(ResourcePath resource, boolean isNamespaced) {
        return list(
                resource,
                isNamespaced,
                handler -> cluster.watch(resource, "", handler),
                Optional::of);
    }

    /// The objects of one namespace as trees.
    public ListOutcome<JsonObject> trees(ResourcePath resource, String namespace) {
        return inNamespace(resource, namespace, Optional::of);
    }

    /// The name by which the server knows the user; empty if the server does not tell.
    public Optional<String> user() {
        var review =
                JsonObject.of("apiVersion", Json.of("authentication.k8s.io/v1"))
                        .with("kind", Json.of("SelfSubjectReview"));
        return cluster.send(Request.Create.of(USER_REVIEWS, "", review))
                        instanceof RequestResult.Done(var answer)
                ? answer.objectOrEmpty("status").objectOrEmpty("userInfo").string("username")
                : Optional.empty();
    }

    private <T> ListOutcome<T> list(
            ResourcePath resource,
            boolean isNamespaced,
            Function<Cluster.EventHandler<T>, Cluster.Subscription> subscription,
            Function<JsonObject, Optional<T>> decoder) {
        return switch (review(resource)) {
            case Review.Allowed _ -> listed(resource, subscription);
            case Review.Failed(var reason) -> new ListOutcome.Refused<>(reason);
            case Review.Denied _ ->
                    isNamespaced && fallback.isPresent()
                            ? inNamespace(resource, fallback.get(), decoder)
                            : new ListOutcome.Forbidden<>(resource);
        };
    }

    /// The result of an access review.
    private sealed interface Review {
        record Allowed() implements Review {}

        record Denied() implements Review {}

        /// There is no answer: no server responds, or it does not know the user.
        record Failed(String reason) implements Review {}
    }

    private Review review(ResourcePath resource) {
        var attributes =
                JsonObject.of("verb", Json.of("list"))
                        .with("group", Json.of(resource.group()))
                        .with("resource", Json.of(resource.plural()));
        var review =
                JsonObject.of("apiVersion", Json.of("authorization.k8s.io/v1"))
                        .with("kind", Json.of("SelfSubjectAccessReview"))
                        .with("spec", JsonObject.of("resourceAttributes", attributes));
        return switch (cluster.send(Request.Create.of(ACCESS_REVIEWS, "", review))) {
            case RequestResult.Done(var answer) ->
                    answer.objectOrEmpty("status").flag("allowed").orElse(false)
                            ? new Review.Allowed()
                            : new Review.Denied();
            case RequestResult.Unavailable(var message) -> new Review.Failed(message);
            case RequestResult.Refused(var code, _, var message) when code != FORBIDDEN ->
                    new Review.Failed(failure(resource, message));
            // The server has no access reviews, or not for this user: the list itself will tell.
            case RequestResult.Refused _,
                    RequestResult.Missing _,
                    RequestResult.Conflict _,
                    RequestResult.Exists _ ->
                    new Review.Allowed();
        };
    }

    private static String failure(ResourcePath resource, String message) {
        return "cannot read %s: %s".formatted(resource.plural(), message);
    }

    private <T> ListOutcome<T> inNamespace(
            ResourcePath resource, String namespace, Function<JsonObject, Optional<T>> decoder) {
        return switch (cluster.send(new Request.Get(resource, namespace, ""))) {
            case RequestResult.Done(var list) ->
                    new ListOutcome.ListedInNamespace<>(
                            resource,
                            namespace,
                            items(list).stream().map(decoder).flatMap(Optional::stream).toList());
            case RequestResult.Refused(var code, _, _) when code == FORBIDDEN ->
                    new ListOutcome.Forbidden<>(resource);
            // A kind that the server does not have has no objects.
            case RequestResult.Missing _ ->
                    new ListOutcome.ListedInNamespace<>(resource, namespace, List.of());
            case RequestResult.Unavailable(var message) -> new ListOutcome.Refused<>(message);
            case RequestResult.Refused(_, _, var message) ->
                    new ListOutcome.Refused<>(failure(resource, message));
            case RequestResult.Conflict(var message) ->
                    new ListOutcome.Refused<>(failure(resource, message));
            case RequestResult.Exists(var message) ->
                    new ListOutcome.Refused<>(failure(resource, message));
        };
    }

    /// The items of a list; servers set kind and apiVersion for the list only.
    private static List<JsonObject> items(JsonObject list) {
        var kind = list.text("kind");
        var itemKind = kind.endsWith("List") ? kind.substring(0, kind.length() - 4) : kind;
        return list.objects("items").stream()
                .map(item ->
                        item.has("kind")
                                ? item
                                : item.with("apiVersion", Json.of(list.text("apiVersion")))
                                        .with("kind", Json.of(itemKind)))
                .toList();
    }

    /// Lists by a watch, which begins with a paged list and is closed after it.
    private static <T> ListOutcome<T> listed(
            ResourcePath resource,
            Function<Cluster.EventHandler<T>, Cluster.Subscription> subscription) {
        var first = new FirstList<T>();
        try (var _ = subscription.apply(first)) {
            if (!first.done.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                return new ListOutcome.Refused<>(
                        failure(
                                resource,
                                "no list came within %d s".formatted(TIMEOUT.toSeconds())));
            }
            return first.isForbidden
                    ? new ListOutcome.Forbidden<>(resource)
                    : new ListOutcome.Listed<>(first.objects);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new ListOutcome.Refused<>(failure(resource, "interrupted"));
        }
    }

    private static final class FirstList<T> implements Cluster.EventHandler<T> {

        private final CountDownLatch done = new CountDownLatch(1);

        // Both are written before the latch opens, and read afterwards.
        private final List<T> objects = new ArrayList<>();
        private boolean isForbidden;

        @Override
        public void replaceAll(Iterable<T> all) {
            if (done.getCount() > 0) {
                all.forEach(objects::add);
                done.countDown();
            }
        }

        @Override
        public void onForbidden(String message) {
            if (done.getCount() > 0) {
                isForbidden = true;
                done.countDown();
            }
        }

        @Override
        public void put(T object) {}

        @Override
        public void remove(T object) {}
    }
}
