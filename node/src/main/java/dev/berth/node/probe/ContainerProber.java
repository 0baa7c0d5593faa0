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

/// Asks one container, a thread for each probe, until it is closed.
///
/// A container that has to start first is asked nothing else before it has. What was found to be
/// wrong with its start or its life stays so: it is to be ended.
public final class ContainerProber implements AutoCloseable {

    private final HandlerRunner check;
    private final HandlerRunner.Target target;
    private final Clock clock;
    private final Runnable onChange;
    private final BiConsumer<Purpose, String> onFailure;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch started = new CountDownLatch(1);

    // Guards the verdicts.
    private final Object lock = new Object();
    private final Map<Purpose, ProbeThreshold> verdicts = new EnumMap<>(Purpose.class);

    /// Begins to ask.
    ///
    /// @param since when the container started
    /// @param onChange is told when it may be fitter or less so than before
    /// @param onFailure is told of every failure
    public ContainerProber(
            HandlerRunner check,
            HandlerRunner.Target target,
            Instant since,
            Clock clock,
            Runnable onChange,
            BiConsumer<Purpose, String> onFailure) {
        this.check = check;
        this.target = target;
        this.clock = clock;
        this.onChange = onChange;
        this.onFailure = onFailure;
        if (target.task().probe(Purpose.STARTUP).isEmpty()) {
            started.countDown();
        }
        target.task().probes().forEach((purpose, probe) -> begin(purpose, probe, since));
    }

    /// Whether there is anything to ask.
    public static boolean isNeeded(ContainerDefinition task) {
        return !task.probes().isEmpty();
    }

    private void begin(Purpose purpose, Probe probe, Instant since) {
        threads.add(
                Thread.ofVirtual()
                        .name("probe-" + target.container() + "-" + purpose)
                        .start(() -> {
                            try {
                                ask(purpose, probe, since);
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        }));
    }

    private void ask(Purpose purpose, Probe probe, Instant since) throws InterruptedException {
        if (purpose != Purpose.STARTUP) {
            started.await();
        }
        var wait = Duration.between(clock.instant(), since.plus(probe.delay()));
        if (wait.isPositive()) {
            Thread.sleep(wait);
        }
        while (!isSettled(purpose)) {
            var finding = check.perform(probe.handler(), target, probe.timeout());
            note(purpose, probe, finding);
            Thread.sleep(probe.period());
        }
    }

    private boolean isSettled(Purpose purpose) {
        synchronized (lock) {
            var isWell = verdicts.getOrDefault(purpose, ProbeThreshold.OPEN).isWell();
            return switch (purpose) {
                case STARTUP -> isWell.isPresent();
                case LIVENESS -> isWell.isPresent() && !isWell.get();
                case READINESS -> false;
            };
        }
    }

    private void note(Purpose purpose, Probe probe, HandlerRunner.Finding finding) {
        Optional<Boolean> before;
        Optional<Boolean> after;
        synchronized (lock) {
            var verdict = verdicts.getOrDefault(purpose, ProbeThreshold.OPEN);
            before = verdict.isWell();
            var next = verdict.after(finding.isGood(), probe);
            after = next.isWell();
            verdicts.put(purpose, next);
        }
        if (!finding.isGood()) {
            onFailure.accept(purpose, finding.message());
        }
        if (!before.equals(after)) {
            if (purpose == Purpose.STARTUP && after.orElse(false)) {
                started.countDown();
            }
            onChange.run();
        }
    }

    /// What has been found out.
    public ProbeResults probeResults() {
        synchronized (lock) {
            var hasStarted = started.getCount() == 0;
            var isReady =
                    hasStarted
                            && (target.task().probe(Purpose.READINESS).isEmpty()
                                    || isWell(Purpose.READINESS).orElse(false));
            return new ProbeResults(
                    hasStarted, isReady, ill(Purpose.STARTUP).or(() -> ill(Purpose.LIVENESS)));
        }
    }

    private Optional<Boolean> isWell(Purpose purpose) {
        return verdicts.getOrDefault(purpose, ProbeThreshold.OPEN).isWell();
    }

    private Optional<ProbeResults.ProbeFailure> ill(Purpose purpose) {
        return isWell(purpose)
                .filter(well -> !well)
                .map(_ -> new ProbeResults.ProbeFailure(purpose));
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
