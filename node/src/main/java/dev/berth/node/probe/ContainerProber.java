package dev.berth.node.probe;

import dev.berth.node.pod.ContainerDefinition;
import dev.berth.node.pod.Probe;
import dev.berth.node.pod.Probe.Purpose;
import dev.berth.node.pod.ProbeResults;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;

/// Probe workers of one container, one thread per probe.
///
/// Other probes wait until the startup probe has succeeded. A failed startup or liveness probe is
/// final: the container is to be restarted.
public final class ContainerProber implements AutoCloseable {

    private final HandlerRunner handlers;
    private final HandlerRunner.Target target;
    private final Clock clock;
    private final Runnable onChange;
    private final BiConsumer<Purpose, String> onFailure;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch started = new CountDownLatch(1);

    // Guards the thresholds.
    private final Object lock = new Object();
    private final Map<Purpose, ProbeThreshold> thresholds = new EnumMap<>(Purpose.class);

    /// Starts the probe workers.
    ///
    /// @param since when the container started
    /// @param onChange called when a result may have changed
    /// @param onFailure called for every failure
    public ContainerProber(
            HandlerRunner handlers,
            HandlerRunner.Target target,
            Instant since,
            Clock clock,
            Runnable onChange,
            BiConsumer<Purpose, String> onFailure) {
        this.handlers = handlers;
        this.target = target;
        this.clock = clock;
        this.onChange = onChange;
        this.onFailure = onFailure;
        if (target.definition().probe(Purpose.STARTUP).isEmpty()) {
            started.countDown();
        }
        target.definition()
                .probes()
                .forEach((purpose, probe) -> startWorker(purpose, probe, since));
    }

    /// True if the container has probes.
    public static boolean isNeeded(ContainerDefinition definition) {
        return !definition.probes().isEmpty();
    }

    private void startWorker(Purpose purpose, Probe probe, Instant since) {
        threads.add(
                Thread.ofVirtual()
                        .name("probe-" + target.container() + "-" + purpose)
                        .start(() -> {
                            try {
                                probeLoop(purpose, probe, since);
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        }));
    }

    private void probeLoop(Purpose purpose, Probe probe, Instant since)
            throws InterruptedException {
        if (purpose != Purpose.STARTUP) {
            started.await();
        }
        var wait = Duration.between(clock.instant(), since.plus(probe.delay()));
        if (wait.isPositive()) {
            Thread.sleep(wait);
        }
        while (!isFinal(purpose)) {
            var result = handlers.perform(probe.handler(), target, probe.timeout());
            recordResult(purpose, probe, result);
            Thread.sleep(probe.period());
        }
    }

    private boolean isFinal(Purpose purpose) {
        synchronized (lock) {
            var isHealthy = thresholds.getOrDefault(purpose, ProbeThreshold.INITIAL).isHealthy();
            return switch (purpose) {
                case STARTUP -> isHealthy.isPresent();
                case LIVENESS -> isHealthy.isPresent() && !isHealthy.get();
                case READINESS -> false;
            };
        }
    }

    private void recordResult(Purpose purpose, Probe probe, HandlerRunner.Result result) {
        Optional<Boolean> before;
        Optional<Boolean> after;
        synchronized (lock) {
            var threshold = thresholds.getOrDefault(purpose, ProbeThreshold.INITIAL);
            before = threshold.isHealthy();
            var next = threshold.after(result.isSuccess(), probe);
            after = next.isHealthy();
            thresholds.put(purpose, next);
        }
        if (!result.isSuccess()) {
            onFailure.accept(purpose, result.message());
        }
        if (!before.equals(after)) {
            if (purpose == Purpose.STARTUP && after.orElse(false)) {
                started.countDown();
            }
            onChange.run();
        }
    }

    /// The current results.
    public ProbeResults probeResults() {
        synchronized (lock) {
            var hasStarted = started.getCount() == 0;
            var isReady =
                    hasStarted
                            && (target.definition().probe(Purpose.READINESS).isEmpty()
                                    || isHealthy(Purpose.READINESS).orElse(false));
            return new ProbeResults(
                    hasStarted,
                    isReady,
                    failure(Purpose.STARTUP).or(() -> failure(Purpose.LIVENESS)));
        }
    }

    private Optional<Boolean> isHealthy(Purpose purpose) {
        return thresholds.getOrDefault(purpose, ProbeThreshold.INITIAL).isHealthy();
    }

    private Optional<ProbeResults.ProbeFailure> failure(Purpose purpose) {
        return isHealthy(purpose)
                .filter(healthy -> !healthy)
                .map(_ -> new ProbeResults.ProbeFailure(purpose));
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
