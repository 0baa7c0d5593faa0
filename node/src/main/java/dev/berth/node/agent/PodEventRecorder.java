package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records events of pods and of the Node.
///
/// Repeated events increment the count of the first. Recording never blocks: when the queue is
/// full, new events are dropped.
final class PodEventRecorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodEventRecorder.class);
    private static final String COMPONENT = "berth-node";
    private static final int MAX_QUEUED = 1_000;
    private static final int MAX_RECORDED = 1_000;
    private static final int MAX_CHARACTERS = 1_024;

    /// Reasons of events whose message contains the output of a probe or hook.
    private static final Set<String> WITH_CONTAINER_OUTPUT =
            Set.of("Unhealthy", "FailedPostStartHook", "FailedPreStopHook");

    private final Cluster cluster;
    private final String node;
    private final Clock clock;
    private final BlockingQueue<EventKey> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final Thread thread;

    // Used by the thread only.
    private final Map<EventKey, RecordedEvent> recorded = new LinkedHashMap<>();
    private long createdEvents;

    /// Identity of an event, by which repetitions are counted.
    ///
    /// @param involvedObject an object reference
    private record EventKey(
            JsonObject involvedObject, boolean isWarning, String reason, String message) {}

    private record RecordedEvent(String name, int count) {}

    PodEventRecorder(Cluster cluster, String node, Clock clock) {
        this.cluster = cluster;
        this.node = node;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("events").start(this::run);
    }

    /// Enqueues an event of an object.
    void record(JsonObject object, boolean isWarning, String reason, String message) {
        var metadata = object.objectOrEmpty("metadata");
        var involvedObject =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of(object.string("kind").orElse("Pod")))
                        .with("name", Json.of(metadata.text("name")))
                        .with("uid", Json.of(metadata.text("uid")));
        if (metadata.has("namespace")) {
            involvedObject = involvedObject.with("namespace", Json.of(metadata.text("namespace")));
        }
        var bounded =
                message.length() <= MAX_CHARACTERS
                        ? message
                        : message.substring(0, MAX_CHARACTERS - 1) + "…";
        if (isWarning) {
            LOG.info("{} {}", metadata.text("name"), logText(reason, bounded));
        }
        if (!queue.offer(new EventKey(involvedObject, isWarning, reason, bounded))) {
            LOG.warn("too many events: dropped {} of {}", reason, metadata.text("name"));
        }
    }

    /// An event as it is logged. Output of containers may contain secrets and is in the Event only.
    static String logText(String reason, String message) {
        return WITH_CONTAINER_OUTPUT.contains(reason) ? reason : reason + ": " + message;
    }

    private void run() {
        try {
            while (true) {
                write(queue.take());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(EventKey key) {
        var now = clock.instant();
        var before = recorded.remove(key);
        if (before != null) {
            var count = before.count + 1;
            var patch = JsonObject.of("count", Json.of(count)).with("lastTimestamp", Json.of(now));
            var outcome =
                    cluster.send(
                            new Request.Patch(
                                    ResourcePath.EVENTS,
                                    namespace(key),
                                    before.name,
                                    "",
                                    Request.PatchType.MERGE,
                                    patch));
            if (outcome.isDone()) {
                recorded.put(key, new RecordedEvent(before.name, count));
                return;
            }
        }
        var name = key.involvedObject.text("name") + "." + unique(now);
        var outcome =
                cluster.send(
                        Request.Create.of(
                                ResourcePath.EVENTS, namespace(key), event(key, name, now)));
        if (outcome instanceof RequestResult.Done) {
            recorded.put(key, new RecordedEvent(name, 1));
        }
        if (recorded.size() > MAX_RECORDED) {
            recorded.remove(recorded.keySet().iterator().next());
        }
    }

    private String unique(Instant now) {
        createdEvents++;
        return Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
                + Long.toHexString(createdEvents & 0xffff);
    }

    private JsonObject event(EventKey key, String name, Instant now) {
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Event"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(name))
                                .with("namespace", Json.of(namespace(key))))
                .with("involvedObject", key.involvedObject)
                .with("type", Json.of(key.isWarning ? "Warning" : "Normal"))
                .with("reason", Json.of(key.reason))
                .with("message", Json.of(key.message))
                .with(
                        "source",
                        JsonObject.of("component", Json.of(COMPONENT)).with("host", Json.of(node)))
                .with("reportingComponent", Json.of(COMPONENT))
                .with("reportingInstance", Json.of(node))
                .with("firstTimestamp", Json.of(now))
                .with("lastTimestamp", Json.of(now))
                .with("count", Json.of(1));
    }

    private static String namespace(EventKey key) {
        return key.involvedObject.string("namespace").orElse("default");
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
