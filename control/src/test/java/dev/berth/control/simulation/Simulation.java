package dev.berth.control.simulation;

import dev.berth.client.Cluster;
import dev.berth.control.ControlPlane;
import dev.berth.control.Controller;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.core.place.PlacementPolicy;
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

/// One simulation run: a cluster with faults for a while, and then without.
final class Simulation implements AutoCloseable {

    /// Upper bound of the periodic retries: a scheduler retries pods that fit nowhere after five
    /// minutes.
    private static final Duration RETRY_PERIOD = Duration.ofMinutes(6);

    private static final int MAX_STEPS = 10_000;
    private static final int RACE_ROUNDS = 30;
    private static final int RACE_STEPS = 4;

    private final SimulationRandom random;
    private final SimulationEnvironment environment;
    private final SimulatedHardware hardware;
    private final SimulatedUsers users;
    private final InvariantChecker invariants;
    private final FaultRates faults;
    private final Component fleet;
    private final List<Component> components = new ArrayList<>();
    private final List<Scheduler> schedulers = new ArrayList<>();
    private final SimulatedVolumeControllers volumes;
    private final CrashPoint crashPoint;
    private int checked;

    /// A simulation with random faults.
    Simulation(long seed, Path directory) {
        this(seed, directory, Optional.empty());
    }

    /// A simulation without random faults. A scheduler crashes at one point.
    static Simulation ofCrash(long seed, Path directory, CrashPoint crashPoint) {
        return new Simulation(seed, directory, Optional.of(crashPoint));
    }

    private Simulation(long seed, Path directory, Optional<CrashPoint> crash) {
        random = new SimulationRandom(seed);
        crashPoint = crash.orElseGet(CrashPoint::never);
        var heartbeats = crash.isEmpty() && random.oneIn(4);
        environment = new SimulationEnvironment(directory, random, heartbeats);
        volumes = new SimulatedVolumeControllers(environment);
        faults = crash.map(_ -> FaultRates.NONE).orElseGet(() -> FaultRates.of(random));
        hardware = new SimulatedHardware(random, environment.clock, heartbeats);
        var names =
                crash.map(_ -> List.of("one", "two"))
                        .orElseGet(() ->
                                random.pick(
                                        List.of(
                                                List.of("one"),
                                                List.of("one"),
                                                List.of("one", "two"))));
        users = new SimulatedUsers(environment, random, names);
        invariants = new InvariantChecker(hardware);
        fleet = component("fleet", hardware::start);
        component("control", this::control);
        for (var name : names) {
            component("scheduler-" + name, cluster -> scheduler(cluster, name));
        }
        environment.trace.add("%s, %d components".formatted(faults, components.size()));
        users.start();
    }

    private Component component(String name, Function<FaultyCluster, Component.Running> start) {
        var made = new Component(name, environment, random, faults, start);
        components.add(made);
        return made;
    }

    private Component.Running control(Cluster cluster) {
        var controllers = EnumSet.allOf(Controller.class);
        if (!environment.heartbeats) {
            controllers.remove(Controller.NODES);
        }
        var plane =
                new ControlPlane(
                        cluster,
                        environment.clock,
                        ControlPlane.Options.defaults(SimulationEnvironment.GATES)
                                .with(controllers));
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

    private Component.Running scheduler(FaultyCluster cluster, String name) {
        cluster.setCrashPoint(crashPoint);
        var profile = new SchedulerOptions.Profile(name, PlacementPolicy.KUBERNETES);
        var options =
                SchedulerOptions.defaults()
                        .withProfiles(List.of(profile))
                        .withBindingTimeout(Duration.ofSeconds(60))
                        .withoutExplanations()
                        .stepwise(random::uuid);
        var scheduler = new Scheduler(cluster, environment.clock, options, (_, _) -> {});
        schedulers.add(scheduler);
        return new Component.Running() {
            @Override
            public boolean step(Instant now) {
                var isBusy = scheduler.step(now);
                if (isBusy && crashPoint.isAfterStep()) {
                    throw new Crash();
                }
                return isBusy;
            }

            @Override
            public Optional<Instant> nextDue() {
                // Device binding ends by timeout only, which the scheduler checks every second.
                return scheduler.status().binding() > 0
                        ? Optional.of(environment.clock.instant().plusSeconds(1))
                        : scheduler.nextTime();
            }

            @Override
            public void close() {
                scheduler.close();
                schedulers.remove(scheduler);
            }
        };
    }

    /// Runs the simulation; deterministic for a seed.
    ///
    /// @return the hash of its trace
    long run() {
        injectFaults(random.between(80, 320));
        endFaultsAndCheck();
        if (random.oneIn(3)) {
            // By now pods run, and few events occur that would hide a forgotten key.
            components.forEach(one -> one.setFaults(faults));
            users.taintAll();
            injectFaults(random.between(20, 40));
            endFaultsAndCheck();
        }
        deleteAllAndCheck();
        return environment.trace.hash();
    }

    /// Runs a fixed workload for which the schedulers need every command of a binding.
    ///
    /// @return the hash of its trace
    long runCrashStory() {
        converge();
        hardware.refuseAttachment();
        users.createAllTemplates();
        users.createCrashStory();
        for (var i = 0; i < RACE_ROUNDS; i++) {
            race();
        }
        endFaultsAndCheck();
        deleteAllAndCheck();
        return environment.trace.hash();
    }

    /// Steps each component several times without watch events in between, so that schedulers do
    /// not see each other's writes.
    private void race() {
        components.forEach(Component::deliverAll);
        for (var one : components) {
            for (var i = 0; i < RACE_STEPS; i++) {
                one.step();
                checkChanges();
            }
        }
        volumes.step();
        environment.clock.set(environment.clock.instant().plusMillis(500));
    }

    private void deleteAllAndCheck() {
        var check = new ConvergenceCheck(environment, invariants);
        environment.trace.add("delete all pods");
        users.deleteWorkloads();
        users.deleteAll(SimulatedUsers.PODS);
        converge();
        report(check.leftovers());
        environment.trace.add("delete all claims");
        users.deleteAll(SimulatedUsers.CLAIMS);
        converge();
        if (!invariants.claims().isEmpty()) {
            throw new AssertionError("claims are not deleted: " + invariants.claims().keySet());
        }
    }

    private void endFaultsAndCheck() {
        environment.trace.add("the faults end");
        components.forEach(one -> one.setFaults(FaultRates.NONE));
        users.createAllTemplates();
        hardware.endPermanentFaults();
        converge();
        report(new ConvergenceCheck(environment, invariants).violation());
    }

    private static void report(Optional<String> violation) {
        violation.ifPresent(text -> {
            throw new AssertionError(text);
        });
    }

    private void injectFaults(int steps) {
        for (var i = 0; i < steps; i++) {
            inject(random.nextInt(100), random.pick(components));
            checkChanges();
        }
    }

    private void inject(int percent, Component one) {
        if (percent == 0) {
            one.restart();
        } else if (percent < 3) {
            one.crashSoon();
        } else if (percent < 5) {
            one.loseWatch();
        } else if (percent < 6) {
            environment.trace.add(hardware.change());
        } else if (percent < 7) {
            resize();
        } else if (percent < 16) {
            users.act();
        } else if (percent < 24) {
            advanceClock();
        } else if (percent < 34) {
            environment.server.step();
        } else if (percent < 60) {
            one.deliver();
        } else {
            one.step();
        }
    }

    private void resize() {
        if (random.oneIn(4)) {
            environment.trace.add(hardware.resize());
            fleet.restart();
        }
    }

    private void advanceClock() {
        var now = environment.clock.instant();
        var due = nextDue().filter(time -> time.isAfter(now) && random.oneIn(2));
        var longest = now.plusSeconds(30);
        environment.clock.set(
                due.map(time -> time.isBefore(longest) ? time : longest)
                        .orElseGet(() -> now.plusMillis(random.nextInt(3000))));
    }

    private Optional<Instant> nextDue() {
        return components.stream()
                .flatMap(one -> one.nextDue().stream())
                .min(Comparator.naturalOrder());
    }

    /// Delivers all events and runs all steps until no component has work left.
    private void converge() {
        var end = environment.clock.instant().plus(RETRY_PERIOD);
        for (var i = 0; i < MAX_STEPS; i++) {
            if (runAll()) {
                continue;
            }
            var now = environment.clock.instant();
            var due = nextDue();
            if (due.isEmpty() || due.get().isAfter(end)) {
                return;
            }
            var tick = now.plusMillis(10);
            environment.clock.set(Stream.of(tick, due.get()).max(Comparator.naturalOrder()).get());
        }
        throw new AssertionError("the cluster does not converge");
    }

    private boolean runAll() {
        var isBusy = volumes.step();
        while (environment.server.step()) {
            isBusy = true;
        }
        for (var one : components) {
            isBusy |= one.deliverAll();
            isBusy |= one.step();
            checkChanges();
        }
        return isBusy;
    }

    private void checkChanges() {
        var changes = environment.server.changes();
        while (checked < changes.size()) {
            report(invariants.check(changes.get(checked++)));
        }
    }

    String trace() {
        return environment.trace.text();
    }

    @Override
    public void close() {
        components.forEach(Component::close);
        environment.close();
    }
}
