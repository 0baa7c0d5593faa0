package dev.berth.app.remote;

import dev.berth.client.Cluster;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.client.leaderelection.LeaderElectionTiming;
import dev.berth.model.api.meta.ObjectRef;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Option;

/// Runs a service until the process is interrupted: at once, or with `--leader-elect` while this
/// process holds the Lease.
public final class LeaderElectedService {

    private static final String NAMESPACE = "kube-system";

    @Option(
            names = "--leader-elect",
            description =
                    "Run only while holding a Lease in kube-system, so that several instances can"
                            + " stand by.")
    private boolean isElected;

    /// Starts the service, waits for the interrupt, and stops the service.
    ///
    /// @param name name of the Lease
    /// @param begin starts the service; closing the result stops it
    public void perform(Cluster cluster, String name, Supplier<AutoCloseable> begin)
            throws InterruptedException {
        var stop = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            stop.countDown();
                            await(stopped);
                        }));
        try (var _ = isElected ? elected(cluster, name, begin) : new RunningService(begin.get())) {
            stop.await();
        } finally {
            stopped.countDown();
        }
    }

    private static void await(CountDownLatch stopped) {
        try {
            stopped.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static RunningService elected(
            Cluster cluster, String name, Supplier<AutoCloseable> begin) {
        var callbacks = new LeaderCallbacks(begin);
        var election =
                LeaderElection.join(
                        cluster,
                        new ObjectRef(NAMESPACE, name),
                        UUID.randomUUID().toString(),
                        LeaderElectionTiming.DEFAULT,
                        Clock.systemUTC(),
                        RandomGenerator.getDefault(),
                        callbacks);
        return new RunningService(() -> {
            election.close();
            callbacks.onStoppedLeading();
        });
    }

    /// The running service. An exception while it stops is ignored, since the process ends.
    private record RunningService(AutoCloseable work) implements AutoCloseable {
        @Override
        public void close() {
            try {
                work.close();
            } catch (Exception e) {
                throw new IllegalStateException("could not end: " + e.getMessage(), e);
            }
        }
    }

    /// Runs the service while this process is the leader.
    private static final class LeaderCallbacks implements LeaderElection.Callbacks {
        private final Supplier<AutoCloseable> begin;
        private Optional<RunningService> current = Optional.empty();

        LeaderCallbacks(Supplier<AutoCloseable> begin) {
            this.begin = begin;
        }

        @Override
        public synchronized void onStartedLeading() {
            current = Optional.of(new RunningService(begin.get()));
        }

        @Override
        public synchronized void onStoppedLeading() {
            current.ifPresent(RunningService::close);
            current = Optional.empty();
        }
    }
}
