package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.StatusFields;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells people what happens on a node, as events of the cluster.
///
/// The same news of the same object is told once and then counted. Telling never waits: when too
/// much is queued, what is new is dropped.
final class PodEventRecorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodEventRecorder.class);
    private static final String COMPONENT = "berth-node";
    private static final int MOST_WAITING = 1_000;
    private static final int MOST_REMEMBERED = 1_000;
    private static final int MOST_CHARACTERS = 1_024;

    /// Reasons of events whose message has the output of a probe or hook.
    private static final Set<String> WITH_CONTAINER_OUTPUT =
            Set.of("Unhealthy", "FailedPostStartHook", "FailedPreStopHook");

    private final Cluster cluster;
    private final String node;
    private final Clock clock;
    private final BlockingQueue<News> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Thread thread;

    // Only the thread touches these.
    private final Map<News, Told> told = new LinkedHashMap<>();
    private long written;

    /// What is told.
    ///
    /// @param about a reference to an object
    private record News(JsonObject about, boolean isWarning, String reason, String message) {}

    private record Told(String name, int count) {}

    PodEventRecorder(Cluster cluster, String node, Clock clock) {
        this.cluster = cluster;
        this.node = node;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("events").start(this::run);
    }

    /// Tells something of an object, some time soon.
    void tell(JsonObject object, boolean isWarning, String reason, String message) {
        var metadata = object.objectOrEmpty("metadata");
        var about =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of(object.string("kind").orElse("Pod")))
                        .with("name", Json.of(metadata.text("name")))
                        .with("uid", Json.of(metadata.text("uid")));
        if (metadata.has("namespace")) {
            about = about.with("namespace", Json.of(metadata.text("namespace")));
        }
        var bounded =
                message.length() <= MOST_CHARACTERS
                        ? message
                        : message.substring(0, MOST_CHARACTERS - 1) + "…";
        if (isWarning) {
            LOG.info("{} {}", metadata.text("name"), logText(reason, bounded));
        }
        if (!waiting.offer(new News(about, isWarning, reason, bounded))) {
            LOG.warn("too many events: dropped {} of {}", reason, metadata.text("name"));
        }
    }

    /// An event as it is logged. Output of containers, which may have secrets, is in the Event
    /// only.
    static String logText(String reason, String message) {
        return WITH_CONTAINER_OUTPUT.contains(reason) ? reason : reason + ": " + message;
    }

    private void run() {
        try {
            while (true) {
                write(waiting.take());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(News news) {
        var now = clock.instant();
        var before = told.remove(news);
        if (before != null) {
            var count = before.count + 1;
            var patch =
                    JsonObject.of("count", Json.of(count))
                            .with("lastTimestamp", StatusFields.time(now));
            var outcome =
                    cluster.send(
                            new Request.Patch(
                                    ResourcePath.EVENTS,
                                    namespace(news),
                                    before.name,
                                    "",
                                    Request.PatchType.MERGE,
                                    patch));
            if (outcome.isDone()) {
                told.put(news, new Told(before.name, count));
                return;
            }
        }
        var name = news.about.text("name") + "." + unique(now);
        var outcome =
                cluster.send(
                        Request.Create.of(
                                ResourcePath.EVENTS, namespace(news), event(news, name, now)));
        if (outcome instanceof RequestResult.Done) {
            told.put(news, new Told(name, 1));
        }
        if (told.size() > MOST_REMEMBERED) {
            told.remove(told.keySet().iterator().next());
        }
    }

    private String unique(Instant now) {
        written++;
        return Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
                + Long.toHexString(written & 0xffff);
    }

    private JsonObject event(News news, String name, Instant now) {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Event"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(name))
                                .with("namespace", Json.of(namespace(news))))
                .with("involvedObject", news.about)
                .with("type", Json.of(news.isWarning ? "Warning" : "Normal"))
                .with("reason", Json.of(news.reason))
                .with("message", Json.of(news.message))
                .with(
                        "source",
                        JsonObject.of("component", Json.of(COMPONENT)).with("host", Json.of(node)))
                .with("reportingComponent", Json.of(COMPONENT))
                .with("reportingInstance", Json.of(node))
                .with("firstTimestamp", StatusFields.time(now))
                .with("lastTimestamp", StatusFields.time(now))
                .with("count", Json.of(1));
    }

    private static String namespace(News news) {
        return news.about.string("namespace").orElse("default");
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
