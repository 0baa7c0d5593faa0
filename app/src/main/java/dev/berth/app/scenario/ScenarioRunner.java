package dev.berth.app.scenario;

import dev.berth.app.scenario.ScenarioReport.Ending;
import dev.berth.client.Cluster;
import dev.berth.model.api.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Carries out scenarios on a cluster, wherever it is, and tells what came of them.
public final class ScenarioRunner implements AutoCloseable {

    private final Cluster cluster;
    private final Duration patience;
    private final ClusterWatcher watching;
    private final CompiledSelectors selectors = new CompiledSelectors();

    /// @param patience for each expectation
    public ScenarioRunner(Cluster cluster, Duration patience) {
        this.cluster = cluster;
        this.patience = patience;
        this.watching = new ClusterWatcher(cluster);
    }

    /// Waits until nodes are there and their drivers have published everything.
    ///
    /// @return what is missing, if patience has ended
    public Optional<String> awaitFleet(ScenarioPreconditions readiness)
            throws InterruptedException {
        return watching.await(
                patience, () -> readiness.missing(watching.sight("")), Optional::isEmpty);
    }

    /// Carries out a scenario, and clears up after it.
    ///
    /// @param progress is told what is being done
    public ScenarioReport run(Scenario scenario, Consumer<String> progress)
            throws InterruptedException {
        return run(scenario, progress, Afterwards.CLEAR);
    }

    /// What becomes of the objects of a scenario.
    public enum Afterwards {
        CLEAR,
        KEEP
    }

    public ScenarioReport run(Scenario scenario, Consumer<String> progress, Afterwards afterwards)
            throws InterruptedException {
        var start = System.nanoTime();
        var run = new Run(scenario, progress);
        var ending = run.steps();
        if (afterwards == Afterwards.CLEAR) {
            progress.accept("clearing up");
            var left = run.clear();
            ending = ending instanceof Ending.AsExpected ? left : ending;
        }
        return new ScenarioReport(
                scenario,
                List.copyOf(run.asked),
                run.given,
                List.copyOf(run.why),
                ending,
                Duration.ofNanos(System.nanoTime() - start));
    }

    @Override
    public void close() {
        watching.close();
    }

    /// A scenario under way.
    private final class Run {

        private final Scenario scenario;
        private final Consumer<String> progress;
        private final ScenarioNamespace stage;
        private final Set<String> asked = new LinkedHashSet<>();
        private final List<PodResult> given = new ArrayList<>();
        private final Set<String> why = new LinkedHashSet<>();

        Run(Scenario scenario, Consumer<String> progress) {
            this.scenario = scenario;
            this.progress = progress;
            this.stage = new ScenarioNamespace(cluster, scenario);
        }

        Ending steps() throws InterruptedException {
            var failure = stage.open();
            if (failure.isPresent()) {
                return new Ending.Otherwise("open", failure.get());
            }
            for (var step : scenario.steps()) {
                progress.accept(step.text());
                failure = perform(step);
                if (failure.isPresent()) {
                    return new Ending.Otherwise(step.text(), failure.get());
                }
            }
            return new Ending.AsExpected();
        }

        private Optional<String> perform(ScenarioStep step) throws InterruptedException {
            return switch (step) {
                case ScenarioStep.Apply(var file) -> apply(file);
                case ScenarioStep.Expect(var expectation) -> expect(expectation);
                case ScenarioStep.Taint taint -> taint(taint);
            };
        }

        private Optional<String> apply(String file) {
            try {
                for (var object : ScenarioReader.objects(scenario.directory().resolve(file))) {
                    var failure = stage.apply(object);
                    if (failure.isPresent()) {
                        return failure;
                    }
                }
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Optional<String> expect(Expectation expectation) throws InterruptedException {
            var verdict =
                    watching.await(
                            patience,
                            () -> judge(expectation),
                            ExpectationResult.Met.class::isInstance);
            return switch (verdict) {
                case ExpectationResult.Met(var stories, var sight) -> {
                    tell(sight.pods(expectation.pods()), sight, stories);
                    yield Optional.empty();
                }
                case ExpectationResult.NotYet(var objection) -> Optional.of(objection);
            };
        }

        private ExpectationResult judge(Expectation expectation) {
            var sight = watching.sight(scenario.namespace());
            return ExpectationCheck.judge(selectors, expectation, sight, scenario.shows(), given);
        }

        private void tell(List<Pod> pods, NamespaceView sight, List<PodResult> stories) {
            asked.addAll(RequestSummary.by(pods, sight));
            given.addAll(stories);
            why.addAll(new PlacementReasons(selectors, sight).of(pods));
        }

        private Optional<String> taint(ScenarioStep.Taint taint) {
            for (var story : List.copyOf(given)) {
                if (Expectation.isAbout(taint.pods(), story.pod())) {
                    for (var device : story.devices()) {
                        why.add(
                                "%s is tainted with %s:%s"
                                        .formatted(device.id(), taint.key(), taint.effect()));
                        var failure = stage.taint(device.id(), taint);
                        if (failure.isPresent()) {
                            return failure;
                        }
                    }
                }
            }
            return Optional.empty();
        }

        Ending clear() throws InterruptedException {
            stage.clear();
            return watching.await(
                            patience, () -> watching.isGone(scenario.namespace()), isGone -> isGone)
                    ? new Ending.AsExpected()
                    : new Ending.Otherwise("clear up", "something is left of the namespace");
        }
    }
}
