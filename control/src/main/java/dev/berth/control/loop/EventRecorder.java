package dev.berth.control.loop;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
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

/// Tells people what happens to objects, as events of the cluster.
///
/// The same news of the same object is told once and then counted. Telling never waits: news are
/// queued and written by whoever runs this as a loop; when too many are queued, the oldest are
/// dropped. All of it is guarded by its own lock.
public final class EventRecorder implements ControlLoop {

    private static final int MOST_WAITING = 10_000;
    private static final int MOST_REMEMBERED = 4_096;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);
    private static final int MOST_CHARACTERS = 1_024;

    /// How grave news are.
    public enum Sort {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String text;

        Sort(String text) {
            this.text = text;
        }
    }

    /// What news are about.
    public record Subject(
            String apiVersion, String kind, String namespace, String name, String uid) {

        public static Subject pod(Pod pod) {
            var metadata = pod.metadata();
            return new Subject(
                    "v1", "Pod", metadata.namespace(), metadata.name(), metadata.uid().value());
        }
    }

    /// News.
    ///
    /// @param component who tells
    /// @param reason one word for programs
    public record News(
            String component, Subject subject, Sort sort, String reason, String message) {}

    private record Told(String name, Instant first, Instant last, int count) {}

    private final Cluster cluster;
    private final Deque<News> waiting = new ArrayDeque<>();
    private final Map<News, Told> told = new LinkedHashMap<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private long written;

    public EventRecorder(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Tells something, some time soon.
    public void tell(String component, Subject subject, Sort sort, String reason, String message) {
        var bounded =
                message.length() <= MOST_CHARACTERS
                        ? message
                        : message.substring(0, MOST_CHARACTERS - 1) + "…";
        synchronized (this) {
            if (waiting.size() >= MOST_WAITING) {
                waiting.removeFirst();
            }
            waiting.addLast(new News(component, subject, sort, reason, bounded));
        }
        wakes.forEach(Runnable::run);
    }

    @Override
    public boolean step(Instant now) {
        News next;
        Optional<Told> before;
        synchronized (this) {
            if (waiting.isEmpty()) {
                return false;
            }
            next = waiting.removeFirst();
            before =
                    Optional.ofNullable(told.remove(next))
                            .filter(one -> one.last().plus(REMEMBERED).isAfter(now));
        }
        var after = before.flatMap(one -> again(next, one, now)).or(() -> first(next, now));
        synchronized (this) {
            after.ifPresent(one -> told.put(next, one));
            if (told.size() > MOST_REMEMBERED) {
                told.remove(told.keySet().iterator().next());
            }
        }
        return true;
    }

    private Optional<Told> again(News news, Told before, Instant now) {
        var count = before.count() + 1;
        var patch = JsonObject.of("count", Json.of(count)).with("lastTimestamp", time(now));
        var outcome =
                cluster.send(
                        new Request.Patch(
                                ResourcePath.EVENTS,
                                namespace(news),
                                before.name(),
                                "",
                                Request.PatchType.MERGE,
                                patch));
        return outcome.isDone()
                ? Optional.of(new Told(before.name(), before.first(), now, count))
                : Optional.empty();
    }

    private Optional<Told> first(News news, Instant now) {
        var name = news.subject().name() + "." + unique(now);
        var outcome =
                cluster.send(
                        Request.Create.of(
                                ResourcePath.EVENTS, namespace(news), event(news, name, now)));
        return outcome instanceof RequestResult.Done
                ? Optional.of(new Told(name, now, now, 1))
                : Optional.empty();
    }

    private synchronized String unique(Instant now) {
        written++;
        return Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
                + Long.toHexString(written & 0xffff);
    }

    private static JsonObject event(News news, String name, Instant now) {
        var subject = news.subject();
        var about =
                JsonObject.of("apiVersion", Json.of(subject.apiVersion()))
                        .with("kind", Json.of(subject.kind()))
                        .with("name", Json.of(subject.name()))
                        .with("uid", Json.of(subject.uid()));
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Event"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(name))
                                .with("namespace", Json.of(namespace(news))))
                .with(
                        "involvedObject",
                        subject.namespace().isEmpty()
                                ? about
                                : about.with("namespace", Json.of(subject.namespace())))
                .with("type", Json.of(news.sort().text))
                .with("reason", Json.of(news.reason()))
                .with("message", Json.of(news.message()))
                .with("source", JsonObject.of("component", Json.of(news.component())))
                .with("reportingComponent", Json.of(news.component()))
                .with("firstTimestamp", time(now))
                .with("lastTimestamp", time(now))
                .with("count", Json.of(1));
    }

    private static Json time(Instant time) {
        return Json.of(time.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private static String namespace(News news) {
        return news.subject().namespace().isEmpty() ? "default" : news.subject().namespace();
    }

    @Override
    public synchronized Optional<Instant> nextDue() {
        return waiting.isEmpty() ? Optional.empty() : Optional.of(Instant.MIN);
    }

    @Override
    public void onWake(Runnable wake) {
        wakes.add(wake);
    }
}
