package dev.berth.app.schedule;

import dev.berth.app.manifest.GateOptions;
import dev.berth.app.print.FormerOption;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.app.remote.LeaderElectedService;
import dev.berth.app.service.LogOptions;
import dev.berth.app.service.MetricsPort;
import dev.berth.client.Cluster;
import dev.berth.control.schedule.AsyncEventRecorder;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.metrics.MetricsRegistry;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth schedule`: runs the scheduler for any cluster.
@Command(
        name = "schedule",
        description = {
            "Run the scheduler for any cluster until interrupted.",
            "",
            "It binds pods to nodes and allocates devices to their claims, in every cluster that"
                    + " serves resource.k8s.io/v1. It runs beside kube-scheduler, for pods that"
                    + " name this scheduler."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "1:failed to start",
            "2:usage error",
            "130:stopped by Ctrl-C (SIGINT)",
            "143:stopped by SIGTERM"
        },
        footer = {
            "Examples:",
            "  berth schedule --kubeconfig ~/.kube/config",
            "  berth schedule --policy pack --profile careful=spread --leader-elect",
            "  berth schedule --binding-timeout 120",
            "  berth schedule --metrics-port 9259 --log-format json -v 4"
        })
public final class ScheduleCommand implements Callable<Integer> {

    private static final String NAME = "berth-scheduler";
    private static final int KUBE_SCHEDULER_PORT = 10_259;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Mixin private LeaderElectedService service = new LeaderElectedService();

    @Mixin private SchedulingOptions schedulingOptions = new SchedulingOptions();

    @Option(
            names = "--replace-default-scheduler",
            description =
                    "Also schedule pods that name no scheduler. Use it only where kube-scheduler"
                            + " does not run.")
    private boolean replacesDefaultScheduler;

    @Option(
            names = "--take-over",
            hidden = true,
            description = "Former name of --replace-default-scheduler.")
    void takeOver(boolean value) {
        FormerOption.warn(spec, "--take-over", "--replace-default-scheduler");
        replacesDefaultScheduler = value;
    }

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            converter = MetricsPort.Converter.class,
            description =
                    "Port of 127.0.0.1 for Prometheus metrics, or off. 0 chooses a free port"
                            + " (default: 10259, as kube-scheduler; without metrics if that is in"
                            + " use).")
    private Optional<MetricsPort> metricsPort = Optional.empty();

    @Mixin private LogOptions logs = new LogOptions();

    @Mixin private GateOptions gates = new GateOptions();

    @Override
    public Integer call() throws InterruptedException {
        logs.apply();
        var command = spec.commandLine();
        var metrics = MetricsRegistry.ofProcess();
        var ours = schedulingOptions.options(gates.gates(command)).withMetrics(metrics);
        var options = replacesDefaultScheduler ? ours.withDefaultScheduler() : ours;
        try (var cluster = where.connectService(command, NAME, metrics);
                var _ =
                        metricsPort
                                .orElseGet(() -> MetricsPort.byDefault(KUBE_SCHEDULER_PORT))
                                .serve(metrics, command)) {
            service.perform(cluster, NAME, () -> begin(cluster, options, command.getOut()));
        }
        return 0;
    }

    private static AutoCloseable begin(Cluster cluster, SchedulerOptions options, PrintWriter out) {
        var clock = Clock.systemUTC();
        var events = new AsyncEventRecorder(cluster, NAME, clock);
        var scheduler = new Scheduler(cluster, clock, options, events);
        scheduler.start();
        for (var profile : options.profiles()) {
            out.println(
                    "Placing pods of scheduler %s by policy %s"
                            .formatted(profile.schedulerName(), profile.policy()));
        }
        out.flush();
        return () -> {
            scheduler.close();
            events.close();
        };
    }
}
