package dev.berth.app.simulation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A process of the cluster, which can crash and is started anew with nothing in its memory.
final class Component implements AutoCloseable {

    /// What runs.
    interface Running extends AutoCloseable {

        /// Does something; false when there was nothing to do.
        boolean step(Instant now);

        /// When there will be something to do although nothing happens.
        Optional<Instant> nextDue();

        @Override
        void close();
    }

    private final String name;
    private final World world;
    private final Chance chance;
    private final Function<FaultyCluster, Running> start;
    private Faultiness faults;
    private FaultyCluster cluster;
    private Running running;

    Component(
            String name,
            World world,
            Chance chance,
            Faultiness faults,
            Function<FaultyCluster, Running> start) {
        this.name = name;
        this.world = world;
        this.chance = chance;
        this.faults = faults;
        this.start = start;
        this.cluster = new FaultyCluster(name, world, chance, faults);
        this.running = start.apply(cluster);
    }

    void setFaults(Faultiness changed) {
        faults = changed;
        cluster.setFaults(changed);
    }

    boolean step() {
        try {
            var isBusy = running.step(world.clock.instant());
            if (!cluster.isCrashed()) {
                return isBusy;
            }
        } catch (Crash _) {
            // Not all components survive an Error.
        }
        restart();
        return true;
    }

    void restart() {
        world.trace.add(name + " starts anew");
        running.close();
        cluster.close();
        cluster = new FaultyCluster(name, world, chance, faults);
        running = start.apply(cluster);
    }

    void crashSoon() {
        cluster.crashAfter(chance.below(6));
    }

    /// Lets some news through, a few or a burst.
    void hear() {
        var behind = behind();
        if (!behind.isEmpty()) {
            chance.pick(behind).tell(chance.oneIn(3) ? Integer.MAX_VALUE : chance.between(1, 3));
        }
    }

    /// Lets all news through; false when there are none.
    boolean hearAll() {
        var behind = behind();
        behind.forEach(feed -> feed.tell(Integer.MAX_VALUE));
        return !behind.isEmpty();
    }

    private List<Feed<?>> behind() {
        return cluster.feeds().stream().filter(Feed::isBehind).toList();
    }

    void loseWatch() {
        var feeds = cluster.feeds();
        if (!feeds.isEmpty()) {
            world.trace.add(name + " loses a watch");
            chance.pick(feeds).list();
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
