package dev.berth.app.schedule;

import dev.berth.client.Cluster;
import dev.berth.control.schedule.EventSink;
import dev.berth.control.schedule.Scheduler;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth schedule`: places pods and gives their claims devices, in any cluster.
@Command(
        name = "schedule",
        description = {
            "Place pods on nodes and give their claims devices, until interrupted. Works with",
            "every cluster that has resource.k8s.io/v1, ours or another, beside kube-scheduler."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  berth schedule --kubeconfig ~/.kube/config",
            "  berth schedule --policy pack --profile careful=spread",
            ""
        })
public final class ScheduleCommand implements Callable<Integer> {

    private final Function<Optional<Path>, Cluster> connect;
    private final Function<Cluster, EventSink> events;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster (default: as kubectl does).")
    private Optional<Path> kubeconfig = Optional.empty();

    @Mixin private SchedulerFlags flags = new SchedulerFlags();

    /// A command for clusters that are reached in some way.
    ///
    /// @param connect by a kubeconfig, or as kubectl does when there is none
    /// @param events where a cluster's events go
    public ScheduleCommand(
            Function<Optional<Path>, Cluster> connect, Function<Cluster, EventSink> events) {
        this.connect = connect;
        this.events = events;
    }

    @Override
    public Integer call() throws InterruptedException {
        var options = flags.options(spec.commandLine());
        var out = spec.commandLine().getOut();
        try (var cluster = connect.apply(kubeconfig);
                var scheduler =
                        new Scheduler(cluster, Clock.systemUTC(), options, events.apply(cluster))) {
            var stopped = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(stopped::countDown));
            scheduler.start();
            options.profiles()
                    .forEach(profile ->
                            out.println(
                                    "Placing pods of scheduler %s by policy %s"
                                            .formatted(
                                                    profile.schedulerName(),
                                                    profile.policy()
                                                            .name()
                                                            .toLowerCase(Locale.ROOT))));
            out.flush();
            stopped.await();
        }
        return 0;
    }
}
