package dev.berth.app.scenario;

import dev.berth.app.scenario.ScenarioReport.Result;
import dev.berth.client.Cluster;
import dev.berth.model.api.pod.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Runs scenarios on a cluster and reports the results.
public final class ScenarioRunner implements AutoCloseable {

    private final Cluster cluster;
    private final Duration timeout;
    private final ClusterWatcher watcher;
    private final CompiledSelectors selectors = new CompiledSelectors();

    /// Creates a runner.
    ///
    /// @param timeout timeout of each expectation
    public ScenarioRunner(Cluster cluster, Duration timeout) {
        this.cluster = cluster;
        this.timeout = timeout;
        this.watcher = new ClusterWatcher(cluster);
    }

    /// Waits until nodes are ready and all pools are published.
    ///
    /// @return what is missing after the timeout, if anything
    public Optional<String> awaitFleet(ScenarioPreconditions readiness)
            throws InterruptedException {
        return watcher.await(timeout, () -> readiness.missing(watcher.view("")), Optional::isEmpty);
    }

    /// Runs a scenario and cleans up after it.
    ///
    /// @param progress receives the current step
    public ScenarioReport run(Scenario scenario, Consumer<String> progress)
            throws InterruptedException {
        return run(scenario, progress, CleanUp.CLEAR);
    }

    /// The clean-up of a scenario.
    public enum CleanUp {
        CLEAR,
        KEEP
    }

    public ScenarioReport run(Scenario scenario, Consumer<String> progress, CleanUp afterwards)
            throws InterruptedException {
        var start = System.nanoTime();
        var run = new Run(scenario, progress);
        var ending = run.steps();
        if (afterwards == CleanUp.CLEAR) {
            progress.accept("clearing up");
            var left = run.clear();
            ending = ending instanceof Result.Succeeded ? left : ending;
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
        watcher.close();
    }

    /// A running scenario.
    private final class Run {

        private final Scenario scenario;
        private final Consumer<String> progress;
        private final ScenarioNamespace namespace;
        private final Set<String> asked = new LinkedHashSet<>();
        private final List<PodResult> given = new ArrayList<>();
        private final Set<String> why = new LinkedHashSet<>();

        Run(Scenario scenario, Consumer<String> progress) {
            this.scenario = scenario;
            this.progress = progress;
            this.namespace = new ScenarioNamespace(cluster, scenario);
        }

        Result steps() throws InterruptedException {
            var failure = namespace.open();
            if (failure.isPresent()) {
                return new Result.StepFailed("open", failure.get());
            }
            for (var step : scenario.steps()) {
                progress.accept(step.text());
                failure = perform(step);
                if (failure.isPresent()) {
                    return new Result.StepFailed(step.text(), failure.get());
                }
            }
            return new Result.Succeeded();
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
                    var failure = namespace.apply(object);
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
                    watcher.await(
                            timeout,
                            () -> check(expectation),
                            ExpectationResult.Met.class::isInstance);
            return switch (verdict) {
                case ExpectationResult.Met(var results, var view) -> {
                    report(view.pods(expectation.pods()), view, results);
                    yield Optional.empty();
                }
                case ExpectationResult.NotYet(var mismatch) -> Optional.of(mismatch);
            };
        }

        private ExpectationResult check(Expectation expectation) {
            var view = watcher.view(scenario.namespace());
            return ExpectationCheck.check(selectors, expectation, view, scenario.shows(), given);
        }

        private void report(List<Pod> pods, NamespaceView view, List<PodResult> results) {
            asked.addAll(RequestSummary.by(pods, view));
            given.addAll(results);
            why.addAll(new PlacementReasons(selectors, view).of(pods));
        }

        private Optional<String> taint(ScenarioStep.Taint taint) {
            for (var result : List.copyOf(given)) {
                if (Expectation.isAbout(taint.pods(), result.pod())) {
                    for (var device : result.devices()) {
                        why.add(
                                "%s is tainted with %s:%s"
                                        .formatted(device.id(), taint.key(), taint.effect()));
                        var failure = namespace.taint(device.id(), taint);
                        if (failure.isPresent()) {
                            return failure;
                        }
                    }
                }
            }
            return Optional.empty();
        }

        Result clear() throws InterruptedException {
            namespace.clear();
            return watcher.await(
                            timeout, () -> watcher.isGone(scenario.namespace()), isGone -> isGone)
                    ? new Result.Succeeded()
                    : new Result.StepFailed("clear up", "something is left of the namespace");
        }
    }
}
