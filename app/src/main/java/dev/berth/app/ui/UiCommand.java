package dev.berth.app.ui;

import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.running.ClusterRecord;
import dev.berth.app.running.DataDirectory;
import dev.berth.app.service.LogOptions;
import dev.berth.client.RequestResult;
import dev.berth.client.http.HttpCluster;
import dev.berth.dashboard.Dashboard;
import dev.berth.metrics.MetricsRegistry;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth ui`: serves the dashboard of a cluster, or prints a login URL for that of `berth up`.
@Command(
        name = "ui",
        description = {
            "Serve the dashboard: every device of a cluster, its holder, and why pods are pending.",
            "",
            "The command prints a URL that is valid for one login within a minute. The page reads"
                    + " the cluster with the rights of the kubeconfig user and changes nothing."
                    + " The server listens on 127.0.0.1 until it is interrupted.",
            "",
            "A cluster of berth up serves its own dashboard. Without --kubeconfig, --context and"
                    + " --port, the command prints a new URL for it and exits."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:a URL of the dashboard of berth up was printed",
            "1:failed to start",
            "2:usage error",
            "130:stopped by Ctrl-C (SIGINT)",
            "143:stopped by SIGTERM"
        },
        footer = {
            "Examples:",
            "  berth ui",
            "  berth ui --open",
            "  berth ui --kubeconfig ~/.kube/config --context lab --port 8090"
        })
public final class UiCommand implements Callable<Integer> {

    private static final String NAME = "berth-ui";
    private static final int MAX_PORT = 65_535;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of 127.0.0.1 (default: a free port).")
    private Optional<Integer> port = Optional.empty();

    @Option(names = "--open", description = "Open the URL in the browser.")
    private boolean isOpened;

    @Mixin private LogOptions logs = new LogOptions();

    @Override
    public Integer call() throws InterruptedException {
        logs.apply();
        if (port.filter(number -> number < 0 || number > MAX_PORT).isPresent()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port: %d is not a port from 0 to %d".formatted(port.get(), MAX_PORT));
        }
        var running = running();
        if (running.isPresent()) {
            announce(running.get());
            return 0;
        }
        try (var cluster =
                where.connectService(spec.commandLine(), NAME, MetricsRegistry.ofProcess())) {
            serve(cluster);
        }
        return 0;
    }

    /// A URL of the dashboard that the running cluster serves.
    private Optional<URI> running() throws InterruptedException {
        if (where.isNamed() || port.isPresent() || System.getenv("KUBECONFIG") != null) {
            return Optional.empty();
        }
        var directory = DataDirectory.usual();
        var record = ClusterRecord.running(directory).flatMap(_ -> DashboardRecord.read(directory));
        return record.isPresent() ? record.get().loginUri() : Optional.empty();
    }

    private void serve(HttpCluster cluster) throws InterruptedException {
        var access = where.access();
        var options =
                DashboardSetup.options(
                                cluster,
                                access.server().getAuthority(),
                                access.server().toString(),
                                access.namespace(),
                                isBerth(cluster),
                                StateDirectory.of(access.server(), access.namespace()))
                        .withPort(port.orElse(0));
        var stop = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            stop.countDown();
                            await(stopped);
                        }));
        try (var dashboard = Dashboard.start(cluster, options)) {
            announce(dashboard.loginUri());
            stop.await();
        } finally {
            stopped.countDown();
        }
    }

    private static boolean isBerth(HttpCluster cluster) {
        return cluster.version() instanceof RequestResult.Done(var version)
                && version.text("gitVersion").contains("+berth");
    }

    private static void await(CountDownLatch stopped) {
        try {
            stopped.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void announce(URI uri) {
        var out = spec.commandLine().getOut();
        out.println("Dashboard: " + uri);
        out.println("The URL is valid for one login within a minute; `berth ui` prints another.");
        out.flush();
        if (isOpened && !BrowserOpener.open(uri)) {
            spec.commandLine()
                    .getErr()
                    .println("berth: no program opens URLs here; open the URL in a browser");
        }
    }
}
