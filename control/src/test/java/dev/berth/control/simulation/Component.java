package dev.berth.control.simulation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A simulated process of the cluster, which can crash and restarts without its memory.
final class Component implements AutoCloseable {

    /// The program of the process.
    interface Running extends AutoCloseable {

        /// Runs one step; false when nothing was due.
        boolean step(Instant now);

        /// When the next step is due if no watched object changes.
        Optional<Instant> nextDue();

        @Override
        void close();
    }

    private final String name;
    private final SimulationEnvironment environment;
    private final SimulationRandom random;
    private final Function<FaultyCluster, Running> start;
    private FaultRates faults;
    private FaultyCluster cluster;
    private Running running;

    Component(
            String name,
            SimulationEnvironment environment,
            SimulationRandom random,
            FaultRates faults,
            Function<FaultyCluster, Running> start) {
        this.name = name;
        this.environment = environment;
        this.random = random;
        this.faults = faults;
        this.start = start;
        this.cluster = new FaultyCluster(name, environment, random, faults);
        this.running = start.apply(cluster);
    }

    void setFaults(FaultRates newRates) {
        faults = newRates;
        cluster.setFaults(newRates);
    }

    boolean step() {
        try {
            var isBusy = running.step(environment.clock.instant());
            if (!cluster.isCrashed()) {
                return isBusy;
            }
        } catch (Crash _) {
            // Not all components catch an Error.
        }
        restart();
        return true;
    }

    void restart() {
        environment.trace.add(name + " restarts");
        running.close();
        cluster.close();
        cluster = new FaultyCluster(name, environment, random, faults);
        running = start.apply(cluster);
    }

    void crashSoon() {
        cluster.crashAfter(random.nextInt(6));
    }

    /// Delivers some watch events of one kind, a few or all of them.
    void deliver() {
        var behind = behind();
        if (!behind.isEmpty()) {
            random.pick(behind).deliver(random.oneIn(3) ? Integer.MAX_VALUE : random.between(1, 3));
        }
    }

    /// Delivers all watch events; false when there are none.
    boolean deliverAll() {
        var behind = behind();
        behind.forEach(watch -> watch.deliver(Integer.MAX_VALUE));
        return !behind.isEmpty();
    }

    private List<DelayedWatch<?>> behind() {
        return cluster.watches().stream().filter(DelayedWatch::isBehind).toList();
    }

    void loseWatch() {
        var watches = cluster.watches();
        if (!watches.isEmpty()) {
            environment.trace.add(name + " loses a watch");
            random.pick(watches).list();
        }
    }

    Optional<Instant> nextDue() {
        return running.nextDue();
    }

    @Override
    public void close() {
        running.close();
    }
}
