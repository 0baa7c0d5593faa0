package dev.berth.app.remote;

import dev.berth.client.Cluster;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.client.leaderelection.LeaderElectionTiming;
import dev.berth.model.api.ObjectRef;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Option;

/// Something that a program does until it is interrupted: at once, or whenever it is its turn among
/// several of the same.
public final class LeaderElectedService {

    private static final String NAMESPACE = "kube-system";

    @Option(
            names = "--leader-elect",
            description =
                    "Run only while holding a Lease in kube-system, so that several instances can"
                            + " stand by.")
    private boolean isElected;

    /// Begins, waits for the interruption, and ends.
    ///
    /// @param name of the Lease
    /// @param begin starts the work; closing what it gives ends it
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
        try (var _ = isElected ? elected(cluster, name, begin) : new Shift(begin.get())) {
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

    private static Shift elected(Cluster cluster, String name, Supplier<AutoCloseable> begin) {
        var office = new Turns(begin);
        var election =
                LeaderElection.join(
                        cluster,
                        new ObjectRef(NAMESPACE, name),
                        UUID.randomUUID().toString(),
                        LeaderElectionTiming.DEFAULT,
                        Clock.systemUTC(),
                        RandomGenerator.getDefault(),
                        office);
        return new Shift(() -> {
            election.close();
            office.lost();
        });
    }

    /// Work that is being done. A failure to end is of no use to anybody at the end.
    private record Shift(AutoCloseable work) implements AutoCloseable {
        @Override
        public void close() {
            try {
                work.close();
            } catch (Exception e) {
                throw new IllegalStateException("could not end: " + e.getMessage(), e);
            }
        }
    }

    /// Works while it leads.
    private static final class Turns implements LeaderElection.Office {
        private final Supplier<AutoCloseable> begin;
        private Optional<Shift> current = Optional.empty();

        Turns(Supplier<AutoCloseable> begin) {
            this.begin = begin;
        }

        @Override
        public synchronized void taken() {
            current = Optional.of(new Shift(begin.get()));
        }

        @Override
        public synchronized void lost() {
            current.ifPresent(Shift::close);
            current = Optional.empty();
        }
    }
}
