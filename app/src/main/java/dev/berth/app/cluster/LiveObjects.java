package dev.berth.app.cluster;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Everything of a kind that a running cluster has at this moment.
public final class LiveObjects {

    /// Lists of large clusters take their time.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int FORBIDDEN = 403;

    /// A name that no object has; reading it tells whether reading is permitted.
    private static final String NOBODY = "berth-may-i-read";

    private final Cluster cluster;

    public LiveObjects(Cluster cluster) {
        this.cluster = cluster;
    }

    /// What came of looking.
    public sealed interface Look<T> {
        record Seen<T>(List<T> objects) implements Look<T> {
            public Seen {
                objects = List.copyOf(objects);
            }
        }

        /// They cannot be seen: nobody answers, or we may not.
        record Refused<T>(String reason) implements Look<T> {}
    }

    public <T extends KubernetesObject> Look<T> all(Kind<T> kind) {
        var namespace = kind.isNamespaced() ? "default" : "";
        return look(ResourcePath.of(kind), namespace, handler -> cluster.watch(kind, "", handler));
    }

    /// The same as trees, for kinds without records or for questions about what is written.
    public Look<JsonObject> trees(ResourcePath address, boolean isNamespaced) {
        return look(
                address,
                isNamespaced ? "default" : "",
                handler -> cluster.watch(address, "", handler));
    }

    private <T> Look<T> look(
            ResourcePath address,
            String namespace,
            Function<Cluster.EventHandler<T>, Cluster.Subscription> subscription) {
        return switch (cluster.send(new Request.Get(address, namespace, NOBODY))) {
            case RequestResult.Done _, RequestResult.Missing _ -> listed(address, subscription);
            case RequestResult.Refused(var code, _, var message) when code == FORBIDDEN ->
                    refused(
                            address,
                            "%s; ask an administrator for permission to get, list and watch %s"
                                    .formatted(message, address.plural()));
            case RequestResult.Refused(_, _, var message) -> refused(address, message);
            case RequestResult.Unavailable(var message) -> new Look.Refused<>(plain(message));
            case RequestResult.Conflict(var message) -> refused(address, message);
            case RequestResult.Exists(var message) -> refused(address, message);
        };
    }

    /// A message without the name that was asked for.
    private static String plain(String message) {
        return message.replace(" \"" + NOBODY + "\"", "").replace("/" + NOBODY, "");
    }

    private static <T> Look<T> refused(ResourcePath address, String message) {
        return new Look.Refused<>("cannot read %s: %s".formatted(address.plural(), plain(message)));
    }

    /// Following a kind begins with a list, page by page; after it nothing more is wanted.
    private static <T> Look<T> listed(
            ResourcePath address,
            Function<Cluster.EventHandler<T>, Cluster.Subscription> subscription) {
        var first = new FirstList<T>();
        try (var _ = subscription.apply(first)) {
            return first.done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    ? new Look.Seen<>(first.objects)
                    : refused(address, "no list came within %d s".formatted(PATIENCE.toSeconds()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return refused(address, "interrupted");
        }
    }

    private static final class FirstList<T> implements Cluster.EventHandler<T> {

        private final CountDownLatch done = new CountDownLatch(1);

        // Written before the latch opens, read after it has.
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
