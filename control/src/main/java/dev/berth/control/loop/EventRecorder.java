package dev.berth.control.loop;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.ControlLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// Records Kubernetes events.
///
/// A repeated event of the same object increments the count of the first one. Recording does not
/// block: events are queued and written by the steps of this control loop; when the queue is full,
/// the oldest are dropped. All state is guarded by the lock of this.
public final class EventRecorder implements ControlLoop {

    private static final int MAX_QUEUED = 10_000;
    private static final int MAX_REMEMBERED = 4_096;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final int MAX_CHARACTERS = 1_024;

    /// The type of an event.
    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String text;

        Type(String text) {
            this.text = text;
        }
    }

    /// The involved object of an event.
    public record InvolvedObject(
            String apiVersion, String kind, String namespace, String name, String uid) {

        public static InvolvedObject pod(Pod pod) {
            var metadata = pod.metadata();
            return new InvolvedObject(
                    "v1", "Pod", metadata.namespace(), metadata.name(), metadata.uid().value());
        }
    }

    /// An event.
    ///
    /// @param component the reporting component
    /// @param reason machine-readable, in CamelCase
    public record Event(
            String component, InvolvedObject involved, Type type, String reason, String message) {}

    private record Recorded(String name, Instant first, Instant last, int count) {}

    private final Cluster cluster;
    private final Deque<Event> queued = new ArrayDeque<>();
    private final Map<Event, Recorded> recorded = new LinkedHashMap<>();
    private final List<Runnable> wakeups = new CopyOnWriteArrayList<>();
    private long written;

    public EventRecorder(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Queues an event.
    public void record(
            String component, InvolvedObject involved, Type type, String reason, String message) {
        var bounded =
                message.length() <= MAX_CHARACTERS
                        ? message
                        : message.substring(0, MAX_CHARACTERS - 1) + "…";
        synchronized (this) {
            if (queued.size() >= MAX_QUEUED) {
                queued.removeFirst();
            }
            queued.addLast(new Event(component, involved, type, reason, bounded));
        }
        wakeups.forEach(Runnable::run);
    }

    @Override
    public boolean step(Instant now) {
        Event next;
        Optional<Recorded> before;
        synchronized (this) {
            if (queued.isEmpty()) {
                return false;
            }
            next = queued.removeFirst();
            before =
                    Optional.ofNullable(recorded.remove(next))
                            .filter(one -> one.last().plus(REMEMBERED).isAfter(now));
        }
        var after = before.flatMap(one -> increment(next, one, now)).or(() -> create(next, now));
        synchronized (this) {
            after.ifPresent(one -> recorded.put(next, one));
            if (recorded.size() > MAX_REMEMBERED) {
                recorded.remove(recorded.keySet().iterator().next());
            }
        }
        return true;
    }

    private Optional<Recorded> increment(Event event, Recorded before, Instant now) {
        var count = before.count() + 1;
        var patch = JsonObject.of("count", Json.of(count)).with("lastTimestamp", time(now));
        var result =
                cluster.send(
                        new Request.Patch(
                                ResourcePath.EVENTS,
                                namespace(event),
                                before.name(),
                                "",
                                Request.PatchType.MERGE,
                                patch));
        return result.isDone()
                ? Optional.of(new Recorded(before.name(), before.first(), now, count))
                : Optional.empty();
    }

    private Optional<Recorded> create(Event event, Instant now) {
        var name = event.involved().name() + "." + unique(now);
        var result =
                cluster.send(
                        Request.Create.of(
                                ResourcePath.EVENTS, namespace(event), event(event, name, now)));
        return result instanceof RequestResult.Done
                ? Optional.of(new Recorded(name, now, now, 1))
                : Optional.empty();
    }

    private synchronized String unique(Instant now) {
        written++;
        return Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
                + Long.toHexString(written & 0xffff);
    }

    private static JsonObject event(Event event, String name, Instant now) {
        var involved = event.involved();
        var reference =
                JsonObject.of("apiVersion", Json.of(involved.apiVersion()))
                        .with("kind", Json.of(involved.kind()))
                        .with("name", Json.of(involved.name()))
                        .with("uid", Json.of(involved.uid()));
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Event"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(name))
                                .with("namespace", Json.of(namespace(event))))
                .with(
                        "involvedObject",
                        involved.namespace().isEmpty()
                                ? reference
                                : reference.with("namespace", Json.of(involved.namespace())))
                .with("type", Json.of(event.type().text))
                .with("reason", Json.of(event.reason()))
                .with("message", Json.of(event.message()))
                .with("source", JsonObject.of("component", Json.of(event.component())))
                .with("reportingComponent", Json.of(event.component()))
                .with("firstTimestamp", time(now))
                .with("lastTimestamp", time(now))
                .with("count", Json.of(1));
    }

    private static Json time(Instant time) {
        return Json.of(time.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private static String namespace(Event event) {
        return event.involved().namespace().isEmpty() ? "default" : event.involved().namespace();
    }

    @Override
    public synchronized Optional<Instant> nextDue() {
        return queued.isEmpty() ? Optional.empty() : Optional.of(Instant.MIN);
    }

    @Override
    public void onWake(Runnable wake) {
        wakeups.add(wake);
    }
}
