package dev.berth.control.schedule;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.ExplainOptions;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.HiddenHolders;
import dev.berth.core.explain.finding.ControlPlaneRecords;
import dev.berth.core.explain.text.PendingMessage;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.place.PlacementCacheKey;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
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

/// Reports why pods are pending: in the `PodScheduled` condition, and as an event when that
/// changes.
///
/// An explanation takes far longer than a scheduling decision. It is therefore computed beside the
/// queue, once for pods with equal cache keys, and for at most a tenth of the time. Pods that are
/// scheduled within the report delay are not reported.
final class PendingPodReporter {

    private static final Logger LOG = LoggerFactory.getLogger(PendingPodReporter.class);

    static final String UNSCHEDULABLE = "Unschedulable";
    static final String ERROR = "SchedulerError";

    private static final int MAX_WAITING = 10_000;
    private static final int MAX_EXPLANATIONS = 100;
    private static final int IDLE_FACTOR = 9;

    /// With at most so many waiting reports each one is explained.
    private static final int FEW_WAITING = 16;

    /// Delay of a report in concurrent mode. Long enough for a device to be passed from one pod to
    /// the next, and not noticeable to users.
    private static final Duration REPORT_DELAY = Duration.ofMillis(250);

    private static final Duration EXPLANATION_TTL = Duration.ofSeconds(30);

    /// The cluster state in which a pod is pending.
    record ClusterState(
            ClusterSnapshot snapshot,
            PersistentSortedMap<String, ResourceSlice> slices,
            PersistentSortedMap<String, DeviceTaintRule> taintRules) {}

    /// A report on a pod.
    ///
    /// @param request the request to explain; empty when there is nothing to explain
    record Report(
            Pod pod,
            String reason,
            String message,
            Optional<PlacementRequest> request,
            ClusterState cluster) {}

    private record QueuedReport(Report report, long sinceNanos) {}

    /// Pods with equal keys have the same explanation, in which only claims of their namespace are
    /// named.
    private record ExplanationKey(String namespace, PlacementCacheKey key) {}

    private record CachedExplanation(String message, List<String> sentences, Instant at) {}

    private final PodWriter pods;
    private final ClaimSourceReader claimSources;
    private final EventSink events;
    private final Set<AllocatorFeature> features;
    private final SchedulerOptions options;
    private final TaskRunner taskRunner;
    private final Clock clock;
    private final Explainer explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));
    private final BlockingQueue<ObjectRef> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    /// The latest report of each queued pod; absent for pods that need no report any more.
    private final Map<ObjectRef, QueuedReport> latest = new ConcurrentHashMap<>();

    // Both belong to the reporting thread.
    private final Map<ExplanationKey, CachedExplanation> explanations =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(
                        Map.Entry<ExplanationKey, CachedExplanation> eldest) {
                    return size() > MAX_EXPLANATIONS;
                }
            };
    private long idleUntilNanos = System.nanoTime();

    PendingPodReporter(
            PodWriter pods,
            ClaimSourceReader claimSources,
            EventSink events,
            Set<AllocatorFeature> features,
            SchedulerOptions options,
            TaskRunner taskRunner,
            Clock clock) {
        this.pods = pods;
        this.claimSources = claimSources;
        this.events = events;
        this.features = features;
        this.options = options;
        this.taskRunner = taskRunner;
        this.clock = clock;
    }

    /// Queues a report; replaces a queued report of the same pod. Dropped when the queue is full.
    void add(Report report) {
        var pod = report.pod.ref();
        var before = latest.get(pod);
        var since = before == null ? System.nanoTime() : before.sinceNanos;
        if (latest.put(pod, new QueuedReport(report, since)) == null && !waiting.offer(pod)) {
            latest.remove(pod);
        }
    }

    /// Drops the queued report of a pod.
    void drop(ObjectRef pod) {
        latest.remove(pod);
    }

    /// Writes all queued reports.
    void reportAll() {
        for (var pod = waiting.poll(); pod != null; pod = waiting.poll()) {
            reportSafely(pod);
        }
    }

    /// Writes reports until interrupted.
    void run() {
        try {
            while (true) {
                var pod = waiting.take();
                var queued = latest.get(pod);
                if (queued != null) {
                    Thread.sleep(REPORT_DELAY.minusNanos(System.nanoTime() - queued.sinceNanos));
                    reportSafely(pod);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A failed report must not stop later ones.
    private void reportSafely(ObjectRef pod) {
        var queued = latest.remove(pod);
        if (queued == null) {
            return;
        }
        try {
            report(queued.report);
        } catch (RuntimeException | Error e) {
            LOG.error("reporting pending pod {} failed", pod, e);
        }
    }

    private void report(Report report) {
        var sentences =
                report.request
                        .map(request -> sentences(request, report))
                        .orElseGet(() -> blockers(report));
        var message = PendingMessage.of(report.pod.ref(), report.message, sentences);
        if (PodWriter.hasCondition(report.pod, report.reason, message)) {
            return;
        }
        pods.writeUnscheduledCondition(report.pod, report.reason, message, clock.instant());
        events.record(
                report.pod, EventSink.Event.warning("FailedScheduling", "Scheduling", message));
    }

    /// The sentences of an explanation; empty when there is none or no time for it.
    private List<String> sentences(PlacementRequest request, Report report) {
        if (!options.explainsPending()) {
            return List.of();
        }
        var cacheKey =
                new ExplanationKey(
                        report.pod.metadata().namespace(),
                        PlacementCacheKey.of(request, report.cluster.snapshot));
        var now = clock.instant();
        var before = explanations.get(cacheKey);
        if (before != null
                && before.message.equals(report.message)
                && before.at.plus(EXPLANATION_TTL).isAfter(now)) {
            return before.sentences;
        }
        if (!awaitExplanationTime()) {
            return List.of();
        }
        // Empty when the state changed meanwhile.
        var sentences = explained(report, List.of());
        if (!sentences.isEmpty()) {
            explanations.put(cacheKey, new CachedExplanation(report.message, sentences, now));
        }
        return sentences;
    }

    /// Objects that a pod outside the queue waits for: claims, templates, its group. Empty when
    /// there is no time for an explanation: in a burst, most pods get their claims meanwhile.
    private List<String> blockers(Report report) {
        return options.explainsPending()
                        && report.reason.equals(UNSCHEDULABLE)
                        && awaitExplanationTime()
                ? claimSources
                        .templates(report.pod)
                        .map(known -> explained(report, known))
                        .orElse(List.of())
                : List.of();
    }

    /// Waits until explanations took at most their share of the time. False when many reports wait.
    private boolean awaitExplanationTime() {
        var idle = idleUntilNanos - System.nanoTime();
        if (idle > 0) {
            if (waiting.size() > FEW_WAITING) {
                return false;
            }
            taskRunner.backOff(Duration.ofNanos(idle));
        }
        return true;
    }

    private List<String> explained(Report report, List<ResourceClaimTemplate> known) {
        var start = System.nanoTime();
        var sentences = explainer.sentences(lookUp(report, known));
        idleUntilNanos = System.nanoTime() + IDLE_FACTOR * (System.nanoTime() - start);
        return sentences;
    }

    /// The quotas that claims of templates have to meet.
    private List<ResourceQuota> quotas(Report report, List<ResourceClaimTemplate> known) {
        return known.isEmpty() ? List.of() : claimSources.quotas(report.pod.metadata().namespace());
    }

    private ClusterObjects.Lookup lookUp(Report report, List<ResourceClaimTemplate> known) {
        var snapshot = report.cluster.snapshot;
        var objects =
                new ClusterObjects(
                        snapshot.inventory().nodes(),
                        List.copyOf(snapshot.inventory().classes().values()),
                        report.cluster.slices.values(),
                        report.cluster.taintRules.values(),
                        // Conditions and events can be read without permission for other
                        // namespaces.
                        HiddenHolders.outside(
                                report.pod.metadata().namespace(), snapshot.usage().claims()),
                        known,
                        List.of(report.pod),
                        snapshot.context(),
                        snapshot.usage(),
                        ControlPlaneRecords.UNKNOWN.with(quotas(report, known)),
                        snapshot.assumed());
        var explainOptions =
                new ExplainOptions(features, options.bindingTimeout(), clock.instant());
        return objects.ofPod(explainOptions, report.pod.ref());
    }
}
