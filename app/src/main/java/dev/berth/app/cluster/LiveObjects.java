package dev.berth.app.cluster;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Lists all objects of a kind from a running cluster.
public final class LiveObjects {

    /// Timeout of a list; lists of large clusters take long.
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final int FORBIDDEN = 403;

    /// The name of an object that does not exist; a get of it shows whether reads are permitted.
    private static final String MISSING_NAME = "berth-may-i-read";

    private final Cluster cluster;

    public LiveObjects(Cluster cluster) {
        this.cluster = cluster;
    }

    /// The result of a list.
    public sealed interface ListOutcome<T> {
        record Listed<T>(List<T> objects) implements ListOutcome<T> {
            public Listed {
                objects = List.copyOf(objects);
            }
        }

        /// The list failed: no server responds, or the user has no permission.
        record Refused<T>(String reason) implements ListOutcome<T> {}
    }

    public <T extends KubernetesObject> ListOutcome<T> all(Kind<T> kind) {
        var namespace = kind.isNamespaced() ? "default" : "";
        return list(ResourcePath.of(kind), namespace, handler -> cluster.watch(kind, "", handler));
    }

    /// The objects as trees, for kinds without records and for checks of the written fields.
    public ListOutcome<JsonObject> trees(ResourcePath address, boolean isNamespaced) {
        return list(
                address,
                isNamespaced ? "default" : "",
                handler -> cluster.watch(address, "", handler));
    }

    private <T> ListOutcome<T> list(
            ResourcePath address,
            String namespace,
            Function<Cluster.EventHandler<T>, Cluster.Subscription> subscription) {
        return switch (cluster.send(new Request.Get(address, namespace, MISSING_NAME))) {
            case RequestResult.Done _, RequestResult.Missing _ -> listed(address, subscription);
            case RequestResult.Refused(var code, _, var message) when code == FORBIDDEN ->
                    refused(
                            address,
                            "%s; ask an administrator for permission to get, list and watch %s"
                                    .formatted(message, address.plural()));
            case RequestResult.Refused(_, _, var message) -> refused(address, message);
            case RequestResult.Unavailable(var message) ->
                    new ListOutcome.Refused<>(plain(message));
            case RequestResult.Conflict(var message) -> refused(address, message);
            case RequestResult.Exists(var message) -> refused(address, message);
        };
    }

    /// The message without the name of the object.
    private static String plain(String message) {
        return message.replace(" \"" + MISSING_NAME + "\"", "").replace("/" + MISSING_NAME, "");
    }

    private static <T> ListOutcome<T> refused(ResourcePath address, String message) {
        return new ListOutcome.Refused<>(
                "cannot read %s: %s".formatted(address.plural(), plain(message)));
    }

    /// Lists by a watch, which begins with a paged list and is closed after it.
    private static <T> ListOutcome<T> listed(
            ResourcePath address,
            Function<Cluster.EventHandler<T>, Cluster.Subscription> subscription) {
        var first = new FirstList<T>();
        try (var _ = subscription.apply(first)) {
            return first.done.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    ? new ListOutcome.Listed<>(first.objects)
                    : refused(address, "no list came within %d s".formatted(TIMEOUT.toSeconds()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return refused(address, "interrupted");
        }
    }

    private static final class FirstList<T> implements Cluster.EventHandler<T> {

        private final CountDownLatch done = new CountDownLatch(1);

        // Written before the latch opens, read afterwards.
        private final List<T> objects = new ArrayList<>();

        @Override
        public void replaceAll(Iterable<T> all) {
            if (done.getCount() > 0) {
                all.forEach(objects::add);
                done.countDown();
            }
        }

        @Override
        public void put(T object) {}

        @Override
        public void remove(T object) {}
    }
}
