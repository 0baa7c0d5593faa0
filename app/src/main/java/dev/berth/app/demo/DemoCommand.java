package dev.berth.app.demo;

import dev.berth.app.print.FormerOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Progress;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalWriter;
import dev.berth.app.print.TextTable;
import dev.berth.app.scenario.InvalidScenarioException;
import dev.berth.app.scenario.Scenario;
import dev.berth.app.scenario.ScenarioPreconditions;
import dev.berth.app.scenario.ScenarioReader;
import dev.berth.app.scenario.ScenarioReport;
import dev.berth.app.scenario.ScenarioReportText;
import dev.berth.app.scenario.ScenarioRunner;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.InvalidProfileException;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.model.file.TemporaryDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth demo`: runs scenarios on a cluster in this process.
@Command(
        name = "demo",
        description = {
            "Run the example scenarios on a temporary cluster with simulated nodes.",
            "",
            "For each scenario of examples/, the demo prints what the pods request, which devices"
                    + " they get, and why."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all scenarios ended as expected",
            "1:a scenario did not, or the cluster failed to start",
            "2:usage error"
        },
        footer = {"Examples:", "  berth demo", "  berth demo --only pcie", "  berth demo --keep"})
public final class DemoCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--only",
            paramLabel = "NAME",
            description = "Run only scenarios whose directory name contains NAME. Repeatable.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--examples",
            paramLabel = "DIR",
            description = "Directory with scenarios (default: examples/ beside the launcher).")
    private Optional<Path> examples = Optional.empty();

    @Option(
            names = "--timeout",
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "Timeout in seconds for each expected result.")
    private int timeoutSeconds = 60;

    @Option(
            names = "--keep",
            description = "Keep the cluster running until Ctrl-C, and print its kubeconfig.")
    private boolean keeps;

    @Option(
            names = "--patience",
            hidden = true,
            paramLabel = "SECONDS",
            description = "Former name of --timeout.")
    void patience(int seconds) {
        FormerOption.warn(spec, "--patience", "--timeout");
        timeoutSeconds = seconds;
    }

    @Override
    public Integer call() throws IOException {
        try {
            var scenarios = scenarios();
            var plan = plan(scenarios);
            var finished = new CountDownLatch(1);
            endWhenInterrupted(finished);
            try (var directory = TemporaryDirectory.create("berth-demo")) {
                return run(scenarios, plan, directory.path());
            } finally {
                finished.countDown();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 1;
        } catch (InvalidScenarioException | InvalidProfileException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private List<Scenario> scenarios() throws IOException {
        var directory = ExampleScenarios.find(examples);
        if (directory.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    examples.map(given -> "--examples: %s has no scenarios".formatted(given))
                            .orElse("no directory examples/ found; name one with --examples"));
        }
        var chosen =
                ScenarioReader.all(directory.get()).stream()
                        .filter(one ->
                                only.isEmpty() || only.stream().anyMatch(one.name()::contains))
                        .toList();
        if (chosen.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--only: no scenario has a name with " + String.join(" or ", only));
        }
        return chosen;
    }

    private static FleetPlan plan(List<Scenario> scenarios) {
        var profiles = HardwareProfiles.builtIn();
        var plan = FleetPlan.parse("", profiles);
        for (var scenario : scenarios) {
            plan = plan.atLeast(FleetPlan.parse(scenario.nodes(), profiles));
        }
        return plan;
    }

    private int run(List<Scenario> scenarios, FleetPlan plan, Path directory)
            throws InterruptedException {
        var out = spec.commandLine().getOut();
        var progress = new Progress(spec.commandLine().getErr());
        progress.show("starting a cluster");
        try (var whole = EmbeddedBerth.start(EmbeddedOptions.in(directory).withNodes(_ -> plan))) {
            var reports = walk(whole, scenarios, out, progress);
            var isGood = reports.stream().allMatch(ScenarioReport::isAsExpected);
            if (keeps) {
                keep(whole, out);
            }
            return isGood ? 0 : 1;
        }
    }

    private List<ScenarioReport> walk(
            EmbeddedBerth whole, List<Scenario> scenarios, PrintWriter out, Progress progress)
            throws InterruptedException {
        var timeout = Duration.ofSeconds(timeoutSeconds);
        try (var runner = new ScenarioRunner(whole.cluster("berth-demo"), timeout)) {
            var missing = runner.awaitFleet(ScenarioPreconditions.of(whole.plan()));
            progress.clear();
            if (missing.isPresent()) {
                throw new IllegalStateException(
                        "the cluster is not complete: %s is missing".formatted(missing.get()));
            }
            introduce(whole, out);
            var palette = Palette.ofTerminal();
            var reports = new ArrayList<ScenarioReport>();
            for (var scenario : scenarios) {
                var number = reports.size() + 1;
                var head = "%2d/%d  %s".formatted(number, scenarios.size(), scenario.title());
                var report = runner.run(scenario, step -> progress.show(head + ": " + step));
                progress.clear();
                var text = ScenarioReportText.of(report, palette, Terminal.textWidth());
                var title = palette.paint(Palette.Style.HEADING, head);
                TerminalWriter.printStyled(out, title + "\n" + text + "\n");
                out.flush();
                reports.add(report);
            }
            out.print(ScenarioReportText.summary(reports));
            out.flush();
            return reports;
        }
    }

    private static void introduce(EmbeddedBerth whole, PrintWriter out) {
        out.println("A cluster in this process, with simulated nodes:");
        var table = new TextTable("NODES", "PROFILE", "DESCRIPTION");
        whole.plan()
                .counts()
                .forEach((profile, count) ->
                        table.add(String.valueOf(count), profile.name(), profile.description()));
        out.print(table.fit(Terminal.textWidth()));
        out.println();
        out.flush();
    }

    /// Keeps the cluster running until the process is interrupted.
    private static void keep(EmbeddedBerth whole, PrintWriter out) throws InterruptedException {
        out.println();
        out.println("The cluster is still there:");
        out.println("      export KUBECONFIG=" + whole.kubeconfig());
        out.println("      kubectl get nodes,resourceslices,deviceclasses");
        out.println("Ctrl-C ends it and removes what it has kept.");
        out.flush();
        new CountDownLatch(1).await();
    }

    /// Ends the scenarios on an interrupt, so that no processes or files are left.
    private static void endWhenInterrupted(CountDownLatch finished) {
        var main = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            if (finished.getCount() > 0) {
                                main.interrupt();
                            }
                            await(finished);
                        }));
    }

    private static void await(CountDownLatch finished) {
        try {
            finished.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
