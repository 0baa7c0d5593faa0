package dev.berth.dashboard;

import dev.berth.client.cache.ObjectCache;
import dev.berth.dashboard.history.ClaimPhases;
import dev.berth.dashboard.history.UsageHistory;
import dev.berth.dashboard.pending.PendingPods;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the history: a sample every few seconds on a thread of its own, and the changes of
/// claims.
final class HistoryRecorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);

    private final ClusterWatch watch;
    private final UsageHistory history;
    private final ClaimPhases phases;
    private final Clock clock;
    private volatile Optional<JsonObject> lastPlaced = Optional.empty();

    HistoryRecorder(ClusterWatch watch, UsageHistory history, Clock clock) {
        this.watch = watch;
        this.history = history;
        this.phases = new ClaimPhases(watch, clock);
        this.clock = clock;
        watch.pods().addListener(ObjectCache.Listener.of(this::podChanged));
    }

    UsageHistory history() {
        return history;
    }

    ClaimPhases phases() {
        return phases;
    }

    /// The pod that was scheduled last since the start.
    Optional<JsonObject> lastPlaced() {
        return lastPlaced;
    }

    private void podChanged(Optional<Pod> before, Optional<Pod> after) {
        if (before.isPresent()
                && after.isPresent()
                && before.get().spec().nodeName().isEmpty()
                && !after.get().spec().nodeName().isEmpty()) {
            var at = scheduledAt(after.get());
            lastPlaced =
                    Optional.of(
                            JsonObject.of("namespace", Json.of(after.get().ref().namespace()))
                                    .with("pod", Json.of(after.get().ref().name()))
                                    .with("node", Json.of(after.get().spec().nodeName()))
                                    .with("time", Json.of(at)));
            after.get()
                    .metadata()
                    .creationTimestamp()
                    .ifPresent(created -> history.scheduled(Duration.between(created, at)));
        }
    }

    private Instant scheduledAt(Pod pod) {
        return pod.status().conditions().stream()
                .filter(one -> one.type().equals("PodScheduled") && one.isTrue())
                .map(Condition::lastTransitionTime)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(clock::instant);
    }

    /// Notes the changes of claims.
    void update(Set<ObjectRef> touched) {
        history.update(touched, ref -> watch.claims().find(ref));
        phases.update(touched);
    }

    /// Starts to take samples.
    Thread start(FleetUpdater updater) {
        return Thread.ofVirtual().name("dashboard-samples").start(() -> takeSamples(updater));
    }

    private void takeSamples(FleetUpdater updater) {
        try {
            while (true) {
                Thread.sleep(UsageHistory.INTERVAL);
                if (updater.isLoaded()) {
                    history.sample(updater.fleet().utilisation(), PendingPods.of(watch).size());
                    updater.events()
                            .add(
                                    "sample",
                                    JsonObject.of(
                                            "time", Json.of(clock.instant().getEpochSecond())));
                }
            }
        } catch (InterruptedException _) {
            LOG.debug("no more samples are taken");
        }
    }

    @Override
    public void close() {
        history.close();
    }
}
