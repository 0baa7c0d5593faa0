package dev.berth.dashboard.history;

import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// Samples of the last day and intervals of holders. Thread-safe.
public final class UsageHistory {

    /// Time between samples.
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    static final Duration KEPT = Duration.ofHours(24);

    private static final int MAX_SAMPLES = (int) (KEPT.toSeconds() / INTERVAL.toSeconds());
    private static final int MAX_INTERVALS = 100_000;

    /// Limit of durations between two samples.
    private static final int MAX_LATENCIES = 10_000;

    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;

    private final Clock clock;
    private final Optional<HistoryFile> file;

    // Guarded by this.
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private final Map<HolderInterval.Hold, HolderInterval> closed = new LinkedHashMap<>();
    private final Map<ObjectRef, Map<DeviceId, HolderInterval>> open = new HashMap<>();
    private final List<Double> latencies = new ArrayList<>();
    private Sample.Counts last = new Sample.Counts(new TreeMap<>(), 0);

    private UsageHistory(Clock clock, Optional<HistoryFile> file) {
        this.clock = clock;
        this.file = file;
    }

    /// Reads the history of earlier processes.
    ///
    /// @param path the file; empty to keep the history in memory only
    public static UsageHistory open(Clock clock, Optional<Path> path) {
        var history = new UsageHistory(clock, path.map(HistoryFile::new));
        history.file.ifPresent(one -> history.load(one.read()));
        return history;
    }

    private synchronized void load(List<JsonObject> lines) {
        for (var line : lines) {
            if (line.has("claim")) {
                add(HolderInterval.parse(line));
            } else if (line.has("t")) {
                var sample = Sample.parse(line, last);
                last = sample.counts();
                add(sample);
            }
        }
        forgetOld();
    }

    private void add(Sample sample) {
        if (samples.size() == MAX_SAMPLES) {
            samples.remove();
        }
        samples.add(sample);
    }

    private void add(HolderInterval interval) {
        if (closed.size() >= MAX_INTERVALS) {
            closed.remove(closed.keySet().iterator().next());
        }
        closed.put(interval.hold(), interval);
    }

    private void forgetOld() {
        var oldest = clock.instant().minus(KEPT).getEpochSecond();
        while (!samples.isEmpty() && samples.getFirst().time() < oldest) {
            samples.remove();
        }
        closed.values().removeIf(one -> one.to() < oldest);
    }

    /// Notes how long a pod waited for its node.
    public synchronized void scheduled(Duration waited) {
        if (latencies.size() < MAX_LATENCIES) {
            latencies.add(waited.toMillis() / 1000.0);
        }
    }

    /// Adds a sample.
    public synchronized void sample(ClusterUtilisation utilisation, int pending) {
        var counts = Sample.counts(utilisation, pending);
        var isChanged = samples.isEmpty() || !counts.equals(last);
        last = isChanged ? counts : last;
        var sample = new Sample(clock.instant().getEpochSecond(), last, takeLatency());
        add(sample);
        forgetOld();
        append(List.of(sample.json(isChanged)));
    }

    private Sample.Latency takeLatency() {
        if (latencies.isEmpty()) {
            return Sample.Latency.NONE;
        }
        var sorted = latencies.stream().sorted().toList();
        latencies.clear();
        return new Sample.Latency(
                percentile(sorted, MEDIAN), percentile(sorted, P99), sorted.size());
    }

    private static double percentile(List<Double> sorted, double share) {
        return sorted.get(Math.min(sorted.size() - 1, (int) (sorted.size() * share)));
    }

    private void append(List<JsonObject> lines) {
        file.ifPresent(one -> {
            one.append(lines);
            if (one.isTooLarge()) {
                one.replace(lines());
            }
        });
    }

    /// The whole history, as lines.
    private List<JsonObject> lines() {
        var lines = new ArrayList<JsonObject>();
        Optional<Sample.Counts> before = Optional.empty();
        for (var sample : samples) {
            lines.add(sample.json(before.filter(sample.counts()::equals).isEmpty()));
            before = Optional.of(sample.counts());
        }
        closed.values().forEach(one -> lines.add(one.json()));
        return lines;
    }

    /// Applies the current state of claims.
    ///
    /// @param touched claims that may have changed
    /// @param find the claim with a name; empty when it was deleted
    public synchronized void update(
            Collection<ObjectRef> touched, Function<ObjectRef, Optional<ResourceClaim>> find) {
        var now = clock.instant();
        var ended = new ArrayList<HolderInterval>();
        for (var ref : touched) {
            var claim = find.apply(ref);
            var held = open.computeIfAbsent(ref, _ -> new HashMap<>());
            var current = claim.map(one -> devices(one, now)).orElse(Map.of());
            held.values()
                    .removeIf(one -> {
                        var isOver = !current.containsKey(one.device());
                        if (isOver) {
                            ended.add(one.until(now.getEpochSecond()));
                        }
                        return isOver;
                    });
            current.forEach((device, interval) -> {
                var known = held.get(device);
                held.put(device, known == null ? resumed(interval) : later(known, interval));
            });
            if (held.isEmpty()) {
                open.remove(ref);
            }
        }
        ended.forEach(this::add);
        append(ended.stream().map(HolderInterval::json).toList());
    }

    /// The same interval with the current users.
    private static HolderInterval later(HolderInterval known, HolderInterval current) {
        return current.pods().isEmpty()
                ? known
                : new HolderInterval(
                        known.device(),
                        known.claim(),
                        current.pods(),
                        current.gang(),
                        known.from(),
                        known.to());
    }

    /// Removes the part of an interval that an earlier process ended when it stopped.
    private HolderInterval resumed(HolderInterval interval) {
        closed.remove(interval.hold());
        return interval;
    }

    private static Map<DeviceId, HolderInterval> devices(ResourceClaim claim, Instant now) {
        var intervals = new HashMap<DeviceId, HolderInterval>();
        var allocation = claim.status().allocation();
        if (allocation.isEmpty()) {
            return intervals;
        }
        var from = allocation.get().allocationTimestamp().orElse(now).getEpochSecond();
        var users = claim.status().reservedFor();
        var pods =
                users.stream()
                        .filter(user -> !user.isPodGroup())
                        .map(ConsumerReference::name)
                        .toList();
        var gang =
                users.stream()
                        .filter(ConsumerReference::isPodGroup)
                        .map(ConsumerReference::name)
                        .findFirst()
                        .orElse("");
        for (var device : allocation.get().devices()) {
            intervals.put(
                    device.id(),
                    new HolderInterval(
                            device.id(), claim.ref(), pods, gang, from, HolderInterval.OPEN));
        }
        return intervals;
    }

    synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    /// Intervals, the newest first.
    synchronized List<HolderInterval> intervals() {
        return Stream.concat(
                        open.values().stream().flatMap(one -> one.values().stream()),
                        closed.values().stream())
                .sorted(Comparator.comparingLong(HolderInterval::from).reversed())
                .toList();
    }

    /// Writes the open intervals, so that the next process knows them.
    public synchronized void close() {
        var now = clock.instant().getEpochSecond();
        append(
                open.values().stream()
                        .flatMap(one -> one.values().stream())
                        .map(one -> one.until(now).json())
                        .toList());
    }
}
