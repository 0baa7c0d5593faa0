package dev.berth.app.bench.scheduling;

import dev.berth.client.Cluster;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Creates pods and records when each of them is bound.
final class PodLoad implements AutoCloseable {

    private static final int AT_A_TIME = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final BulkRequests sending;
    private final BenchPods pods;
    private final BlockingQueue<Message> news = new LinkedBlockingQueue<>();
    private final Cluster.Subscription subscription;
    private int made;

    /// A message to the measuring thread.
    private sealed interface Message {
        record Bound(String pod) implements Message {}

        record Failed(RuntimeException failure) implements Message {}
    }

    PodLoad(Cluster cluster, BenchPods pods) {
        this.sending = new BulkRequests(cluster);
        this.pods = pods;
        this.subscription =
                cluster.watch(ClusterSetup.PODS, "spec.nodeName!=", new BoundPodHandler());
    }

    /// Reports each pod once; the label selector excludes other pods.
    private final class BoundPodHandler implements Cluster.EventHandler<JsonObject> {
        private final Set<String> seen = new HashSet<>();

        @Override
        public void replaceAll(Iterable<JsonObject> objects) {
            objects.forEach(this::put);
        }

        @Override
        public void put(JsonObject pod) {
            var metadata = pod.objectOrEmpty("metadata");
            if (metadata.text("namespace").equals(ClusterSetup.NAMESPACE)
                    && seen.add(metadata.text("name"))) {
                news.add(new Message.Bound(metadata.text("name")));
            }
        }

        @Override
        public void remove(JsonObject pod) {
            seen.remove(ClusterSetup.name(pod));
        }
    }

    /// Creates the claims and groups that `count` pods share.
    void prepare(int count) throws InterruptedException {
        BulkRequests.each(
                pods.claims(count),
                claim -> sending.createWhole(ClusterSetup.CLAIMS, ClusterSetup.NAMESPACE, claim));
        BulkRequests.each(
                pods.groups(count),
                group -> sending.createWhole(ClusterSetup.GROUPS, ClusterSetup.NAMESPACE, group));
    }

    /// Creates all pods at once; returns the times of their bindings in nanoseconds since the
    /// start.
    List<Long> burst(int count) throws InterruptedException {
        var start = System.nanoTime();
        var numbers = IntStream.range(0, count).boxed().toList();
        var creating =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                BulkRequests.each(numbers, this::make);
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
        var times = new ArrayList<Long>();
        while (times.size() < count) {
            if (next(TIMEOUT.toNanos()).isEmpty()) {
                throw stall(times.size(), count);
            }
            times.add(System.nanoTime() - start);
        }
        creating.join();
        return times;
    }

    /// The exception for a stall, with the condition of a pending pod.
    private IllegalStateException stall(int bound, int count) {
        var waiting =
                sending.all(ClusterSetup.PODS, ClusterSetup.NAMESPACE).stream()
                        .filter(PodLoad::isWaiting);
        var why =
                waiting.findFirst()
                        .map(pod -> "; %s: %s".formatted(ClusterSetup.name(pod), reason(pod)))
                        .orElse("; no pod is without a node, so a watch has not reported all");
        return new IllegalStateException(
                "%d of %d pods were bound, then none within %d s%s"
                        .formatted(bound, count, TIMEOUT.toSeconds(), why));
    }

    private static boolean isWaiting(JsonObject pod) {
        return pod.objectOrEmpty("spec").text("nodeName").isEmpty();
    }

    private static String reason(JsonObject pod) {
        return pod.objectOrEmpty("status").objects("conditions").stream()
                .filter(one -> one.text("type").equals("PodScheduled"))
                .map(one -> one.text("message"))
                .findFirst()
                .orElse("it has no condition PodScheduled");
    }

    /// The next pod that was bound, if there is one within the time.
    private Optional<String> next(long nanos) throws InterruptedException {
        return switch (news.poll(nanos, TimeUnit.NANOSECONDS)) {
            case null -> Optional.empty();
            case Message.Bound(var pod) -> Optional.of(pod);
            case Message.Failed(var failure) -> throw failure;
        };
    }

    /// Keeps a few pods pending for a while. Pods pending at the end are not counted, but must be
    /// bound as well.
    List<Long> steady(Duration time) throws InterruptedException {
        var start = System.nanoTime();
        var end = start + time.toNanos();
        for (var i = 0; i < AT_A_TIME; i++) {
            make(made++);
        }
        var times = new ArrayList<Long>();
        while (System.nanoTime() < end) {
            var pod = next(end - System.nanoTime());
            if (pod.isPresent()) {
                times.add(System.nanoTime() - start);
                var number = made++;
                Thread.ofVirtual().start(() -> make(number));
                Thread.ofVirtual().start(() -> remove(pod.get()));
            }
        }
        for (var left = AT_A_TIME; left > 0; left--) {
            if (next(TIMEOUT.toNanos()).isEmpty()) {
                throw stall(made - left, made);
            }
        }
        return times;
    }

    private void remove(String pod) {
        sending.remove(ClusterSetup.PODS, ClusterSetup.NAMESPACE, pod);
    }

    private void make(int number) {
        try {
            sending.create(ClusterSetup.PODS, ClusterSetup.NAMESPACE, pods.pod(number));
        } catch (RuntimeException e) {
            news.add(new Message.Failed(e));
        }
    }

    @Override
    public void close() {
        subscription.close();
    }
}
