package dev.berth.app.simulation;

import dev.berth.client.Cluster;
import dev.berth.control.ControlPlane;
import dev.berth.control.Controller;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.schedule.NodePolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// One story: a cluster in which everything goes wrong for a while, and then nothing any more.
final class Simulation implements AutoCloseable {

    /// How long those may take who come back to things of their own accord: a scheduler comes back
    /// to pods that fit nowhere after five minutes.
    private static final Duration CALM = Duration.ofMinutes(6);

    private static final int MOST_STEPS = 10_000;

    private final Chance chance;
    private final World world;
    private final Machines machines;
    private final Users users;
    private final Watchman watchman;
    private final Faultiness faults;
    private final Component fleet;
    private final List<Component> components = new ArrayList<>();
    private final List<Scheduler> schedulers = new ArrayList<>();
    private int watched;

    Simulation(long seed, Path directory) {
        chance = new Chance(seed);
        var beats = chance.oneIn(4);
        world = new World(directory, chance, beats);
        faults = Faultiness.of(chance);
        machines = new Machines(chance, world.clock, beats);
        var names = chance.pick(List.of(List.of("one"), List.of("one"), List.of("one", "two")));
        users = new Users(world, chance, names);
        watchman = new Watchman(machines);
        fleet = component("fleet", machines::start);
        component("control", this::control);
        for (var name : names) {
            component("scheduler-" + name, cluster -> scheduler(cluster, name));
        }
        world.trace.add("%s, %d components".formatted(faults, components.size()));
        users.begin();
    }

    private Component component(String name, Function<FaultyCluster, Component.Running> start) {
        var made = new Component(name, world, chance, faults, start);
        components.add(made);
        return made;
    }

    private Component.Running control(Cluster cluster) {
        var wanted = EnumSet.allOf(Controller.class);
        if (!world.beats) {
            wanted.remove(Controller.NODES);
        }
        var plane =
                new ControlPlane(
                        cluster,
                        world.clock,
                        ControlPlane.Options.defaults(World.GATES).with(wanted));
        plane.startStepwise();
        return new Component.Running() {
            @Override
            public boolean step(Instant now) {
                return plane.step(now);
            }

            @Override
            public Optional<Instant> nextDue() {
                return plane.nextDue();
            }

            @Override
            public void close() {
                plane.close();
            }
        };
    }

    private Component.Running scheduler(Cluster cluster, String name) {
        var profile = new SchedulerOptions.Profile(name, NodePolicy.KUBERNETES);
        var options =
                SchedulerOptions.defaults()
                        .withProfiles(List.of(profile))
                        .withBindingTimeout(Duration.ofSeconds(60))
                        .withoutExplanations()
                        .stepwise(chance::uuid);
        var scheduler = new Scheduler(cluster, world.clock, options, (_, _) -> {});
        schedulers.add(scheduler);
        return new Component.Running() {
            @Override
            public boolean step(Instant now) {
                return scheduler.step(now);
            }

            @Override
            public Optional<Instant> nextDue() {
                // Only time ends the wait for devices, and the scheduler looks every second.
                return scheduler.status().binding() > 0
                        ? Optional.of(world.clock.instant().plusSeconds(1))
                        : scheduler.nextTime();
            }

            @Override
            public void close() {
                scheduler.close();
                schedulers.remove(scheduler);
            }
        };
    }

    /// Tells the whole story. The same for the same seed.
    ///
    /// @return its print
    long run() {
        storm(chance.between(80, 320));
        comeToRest();
        if (chance.oneIn(3)) {
            // By now pods run, and little happens that would make up for what is forgotten.
            components.forEach(one -> one.setFaults(faults));
            users.taintAll();
            storm(chance.between(20, 40));
            comeToRest();
        }
        var afterwards = new Afterwards(world, watchman);
        world.trace.add("all pods go");
        users.deleteTeams();
        users.deleteAll(Users.PODS);
        calm();
        report(afterwards.leftovers());
        world.trace.add("all claims go");
        users.deleteAll(Users.CLAIMS);
        calm();
        if (!watchman.claims().isEmpty()) {
            throw new AssertionError("claims do not go: " + watchman.claims().keySet());
        }
        return world.trace.print();
    }

    private void comeToRest() {
        world.trace.add("the faults end");
        components.forEach(one -> one.setFaults(Faultiness.NONE));
        users.makeAllTemplates();
        machines.comeToTerms();
        calm();
        report(new Afterwards(world, watchman).unrest());
    }

    private static void report(Optional<String> trouble) {
        trouble.ifPresent(text -> {
            throw new AssertionError(text);
        });
    }

    private void storm(int steps) {
        for (var i = 0; i < steps; i++) {
            happen(chance.below(100), chance.pick(components));
            watch();
        }
    }

    private void happen(int what, Component one) {
        if (what == 0) {
            one.restart();
        } else if (what < 3) {
            one.crashSoon();
        } else if (what < 5) {
            one.loseWatch();
        } else if (what < 6) {
            world.trace.add(machines.change());
        } else if (what < 7) {
            resize();
        } else if (what < 16) {
            users.act();
        } else if (what < 24) {
            pass();
        } else if (what < 34) {
            world.server.step();
        } else if (what < 60) {
            one.hear();
        } else {
            one.step();
        }
    }

    private void resize() {
        if (chance.oneIn(4)) {
            world.trace.add(machines.resize());
            fleet.restart();
        }
    }

    private void pass() {
        var now = world.clock.instant();
        var due = nextDue().filter(time -> time.isAfter(now) && chance.oneIn(2));
        var longest = now.plusSeconds(30);
        world.clock.set(
                due.map(time -> time.isBefore(longest) ? time : longest)
                        .orElseGet(() -> now.plusMillis(chance.below(3000))));
    }

    private Optional<Instant> nextDue() {
        return components.stream()
                .flatMap(one -> one.nextDue().stream())
                .min(Comparator.naturalOrder());
    }

    /// Lets everybody hear everything and do what they want, until nobody wants anything.
    private void calm() {
        var end = world.clock.instant().plus(CALM);
        for (var i = 0; i < MOST_STEPS; i++) {
            if (work()) {
                continue;
            }
            var now = world.clock.instant();
            var due = nextDue();
            if (due.isEmpty() || due.get().isAfter(end)) {
                return;
            }
            var tick = now.plusMillis(10);
            world.clock.set(Stream.of(tick, due.get()).max(Comparator.naturalOrder()).get());
        }
        throw new AssertionError("no rest");
    }

    private boolean work() {
        var works = false;
        while (world.server.step()) {
            works = true;
        }
        for (var one : components) {
            works |= one.hearAll();
            works |= one.step();
            watch();
        }
        return works;
    }

    private void watch() {
        var changes = world.server.changes();
        while (watched < changes.size()) {
            report(watchman.see(changes.get(watched++)));
        }
    }

    String story() {
        return world.trace.text();
    }

    @Override
    public void close() {
        components.forEach(Component::close);
        world.close();
    }
}
