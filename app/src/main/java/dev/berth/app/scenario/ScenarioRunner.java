package dev.berth.app.scenario;

import dev.berth.app.scenario.Report.Ending;
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
    private final Watching watching;
    private final Selectors selectors = new Selectors();

    /// @param patience for each expectation
    public ScenarioRunner(Cluster cluster, Duration patience) {
        this.cluster = cluster;
        this.patience = patience;
        this.watching = new Watching(cluster);
    }

    /// Waits until nodes are there and their drivers have published everything.
    ///
    /// @return what is missing, if patience has ended
    public Optional<String> awaitFleet(Readiness readiness) throws InterruptedException {
        return watching.await(
                patience, () -> readiness.missing(watching.sight("")), Optional::isEmpty);
    }

    /// Carries out a scenario, and clears up after it.
    ///
    /// @param progress is told what is being done
    public Report run(Scenario scenario, Consumer<String> progress) throws InterruptedException {
        return run(scenario, progress, Afterwards.CLEAR);
    }

    /// What becomes of the objects of a scenario.
    public enum Afterwards {
        CLEAR,
        KEEP
    }

    public Report run(Scenario scenario, Consumer<String> progress, Afterwards afterwards)
            throws InterruptedException {
        var start = System.nanoTime();
        var run = new Run(scenario, progress);
        var ending = run.steps();
        if (afterwards == Afterwards.CLEAR) {
            progress.accept("clearing up");
            var left = run.clear();
            ending = ending instanceof Ending.AsExpected ? left : ending;
        }
        return new Report(
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
        private final Stage stage;
        private final Set<String> asked = new LinkedHashSet<>();
        private final List<PodStory> given = new ArrayList<>();
        private final Set<String> why = new LinkedHashSet<>();

        Run(Scenario scenario, Consumer<String> progress) {
            this.scenario = scenario;
            this.progress = progress;
            this.stage = new Stage(cluster, scenario);
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

        private Optional<String> perform(Step step) throws InterruptedException {
            return switch (step) {
                case Step.Apply(var file) -> apply(file);
                case Step.Expect(var expectation) -> expect(expectation);
                case Step.Taint taint -> taint(taint);
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
                            patience, () -> judge(expectation), Verdict.Met.class::isInstance);
            return switch (verdict) {
                case Verdict.Met(var stories, var sight) -> {
                    tell(sight.pods(expectation.pods()), sight, stories);
                    yield Optional.empty();
                }
                case Verdict.NotYet(var objection) -> Optional.of(objection);
            };
        }

        private Verdict judge(Expectation expectation) {
            var sight = watching.sight(scenario.namespace());
            return Judge.judge(selectors, expectation, sight, scenario.shows(), given);
        }

        private void tell(List<Pod> pods, Sight sight, List<PodStory> stories) {
            asked.addAll(Asked.by(pods, sight));
            given.addAll(stories);
            why.addAll(new Reasons(selectors, sight).of(pods));
        }

        private Optional<String> taint(Step.Taint taint) {
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
