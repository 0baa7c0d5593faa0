package dev.berth.control.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.PlacementCacheKey;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceSlice;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells pods why they must wait: in their condition, and in an event when that has changed.
///
/// To explain a pod takes far longer than to place one. So it is done beside the queue, once for
/// pods that ask for the same, and for no more than a tenth of the time. A pod that gets its place
/// after a moment is told nothing.
final class PendingPodReporter {

    private static final Logger LOG = LoggerFactory.getLogger(PendingPodReporter.class);

    static final String UNSCHEDULABLE = "Unschedulable";
    static final String ERROR = "SchedulerError";

    private static final int MAX_WAITING = 10_000;
    private static final int MAX_KNOWN = 100;
    private static final int REST = 9;

    /// When so few wait to be told, there is time to explain each.
    private static final int FEW = 16;

    /// How long a pod waits before it is told, when there are threads that can wait so long. Long
    /// enough for a device on its way from one pod to the next, and nothing to somebody who reads.
    private static final Duration MOMENT = Duration.ofMillis(250);

    private static final Duration GOOD_FOR = Duration.ofSeconds(30);
    private static final int MAX_TEXT = 700;

    /// A cluster in which something has to wait.
    record Scene(
            ClusterSnapshot snapshot,
            PersistentSortedMap<String, ResourceSlice> slices,
            PersistentSortedMap<String, DeviceTaintRule> taintRules) {}

    /// What to tell whom.
    ///
    /// @param question empty when there is nothing to explain
    record Telling(
            Pod pod,
            String reason,
            String message,
            Optional<PlacementRequest> question,
            Scene scene) {}

    private record News(Telling telling, long sinceNanos) {}

    private record Known(String message, String cause, Instant at) {}

    private final PodWriter pods;
    private final EventSink events;
    private final Set<AllocatorFeature> features;
    private final SchedulerOptions options;
    private final TaskRunner doing;
    private final Clock clock;
    private final Explainer explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));
    private final BlockingQueue<ObjectRef> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    /// What is to be told to those who wait; nothing to those who need not be told any more.
    private final Map<ObjectRef, News> newest = new ConcurrentHashMap<>();

    // Both belong to the thread that tells.
    private final Map<PlacementCacheKey, Known> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<PlacementCacheKey, Known> eldest) {
                    return size() > MAX_KNOWN;
                }
            };
    private long restUntilNanos = System.nanoTime();

    PendingPodReporter(
            PodWriter pods,
            EventSink events,
            Set<AllocatorFeature> features,
            SchedulerOptions options,
            TaskRunner doing,
            Clock clock) {
        this.pods = pods;
        this.events = events;
        this.features = features;
        this.options = options;
        this.doing = doing;
        this.clock = clock;
    }

    /// Has it told, in place of what the same pod waits to be told, unless there is far too much to
    /// tell.
    void add(Telling telling) {
        var pod = telling.pod.ref();
        var before = newest.get(pod);
        var since = before == null ? System.nanoTime() : before.sinceNanos;
        if (newest.put(pod, new News(telling, since)) == null && !waiting.offer(pod)) {
            newest.remove(pod);
        }
    }

    /// A pod need not be told what it has not been told yet.
    void drop(ObjectRef pod) {
        newest.remove(pod);
    }

    /// Tells all that waits.
    void tellAll() {
        for (var pod = waiting.poll(); pod != null; pod = waiting.poll()) {
            tellSafely(pod);
        }
    }

    /// Tells until interrupted.
    void run() {
        try {
            while (true) {
                var pod = waiting.take();
                var news = newest.get(pod);
                if (news != null) {
                    Thread.sleep(MOMENT.minusNanos(System.nanoTime() - news.sinceNanos));
                    tellSafely(pod);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// What cannot be told must not keep the rest from being told.
    private void tellSafely(ObjectRef pod) {
        var news = newest.remove(pod);
        if (news == null) {
            return;
        }
        try {
            tell(news.telling);
        } catch (RuntimeException | Error e) {
            LOG.error("cannot tell pod {} why it waits", pod, e);
        }
    }

    private void tell(Telling telling) {
        var cause = telling.question.flatMap(question -> cause(question, telling));
        var message = telling.message + cause.map(text -> " " + text).orElse("");
        if (PodWriter.says(telling.pod, telling.reason, message)) {
            return;
        }
        pods.tellWaiting(telling.pod, telling.reason, message, clock.instant());
        events.tell(telling.pod, EventSink.Note.warning("FailedScheduling", "Scheduling", message));
    }

    private Optional<String> cause(PlacementRequest question, Telling telling) {
        var shape = question.shape();
        if (!options.explains() || asksForNoDevices(shape)) {
            return Optional.empty();
        }
        var now = clock.instant();
        var before = known.get(shape);
        if (before != null
                && before.message.equals(telling.message)
                && before.at.plus(GOOD_FOR).isAfter(now)) {
            return Optional.of(before.cause);
        }
        var rest = restUntilNanos - System.nanoTime();
        if (rest > 0) {
            if (waiting.size() > FEW) {
                return Optional.empty();
            }
            doing.pause(Duration.ofNanos(rest));
        }
        var start = System.nanoTime();
        var cause = explain(telling);
        restUntilNanos = System.nanoTime() + REST * (System.nanoTime() - start);
        cause.ifPresent(text -> known.put(shape, new Known(telling.message, text, now)));
        return cause;
    }

    /// Devices are asked for by claims, and by the names of resources that classes stand for.
    private static boolean asksForNoDevices(PlacementCacheKey shape) {
        return shape.wanted().isEmpty() && shape.allocated().isEmpty() && !shape.mayAskClasses();
    }

    private Optional<String> explain(Telling telling) {
        var snapshot = telling.scene.snapshot;
        var cluster =
                new ClusterObjects(
                        snapshot.fleet().nodes(),
                        List.copyOf(snapshot.fleet().classes().values()),
                        telling.scene.slices.values(),
                        telling.scene.taintRules.values(),
                        List.copyOf(snapshot.occupancy().claims()),
                        List.of(),
                        List.of(telling.pod),
                        snapshot.surroundings(),
                        snapshot.occupancy(),
                        snapshot.assumed());
        var explainOptions =
                new ExplainOptions(features, options.bindingPatience(), clock.instant());
        return switch (cluster.ofPod(explainOptions, telling.pod.ref())) {
            case ClusterObjects.Lookup.Found(var inputs) ->
                    // None when others were faster meanwhile, or room is short and not devices.
                    explainer.cause(inputs).map(PendingPodReporter::cut);
            case ClusterObjects.Lookup.Missing _ -> Optional.empty();
        };
    }

    private static String cut(String cause) {
        return cause.length() > MAX_TEXT ? cause.substring(0, MAX_TEXT) + "…" : cause;
    }
}
