package dev.berth.app.schedule;

import dev.berth.app.manifest.GateOptions;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.control.schedule.SchedulerOptions.Profile;
import dev.berth.core.schedule.NodePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// How to place pods, for every command that runs a scheduler.
public final class SchedulerFlags {

    @Option(
            names = "--scheduler-name",
            defaultValue = SchedulerOptions.NAME,
            paramLabel = "NAME",
            description = "Pods that name this scheduler are placed (default: ${DEFAULT-VALUE}).")
    private String name = SchedulerOptions.NAME;

    @Option(
            names = "--policy",
            defaultValue = "kubernetes",
            paramLabel = "POLICY",
            description = {
                "Which nodes and devices are preferred: ${COMPLETION-CANDIDATES}",
                "(default: ${DEFAULT-VALUE})."
            })
    private NodePolicy policy = NodePolicy.KUBERNETES;

    @Option(
            names = "--profile",
            paramLabel = "NAME=POLICY",
            description = "A further name by which pods ask for a policy; may be given again.")
    private Map<String, NodePolicy> profiles = new LinkedHashMap<>();

    @Option(
            names = "--take-over",
            description = {
                "Also place pods that name no scheduler. Only where kube-scheduler does not run:",
                "two would place the same pods."
            })
    private boolean takesOver;

    @Mixin private GateOptions gates = new GateOptions();

    public SchedulerOptions options(CommandLine command) {
        var all = new ArrayList<Profile>();
        all.add(new Profile(name, policy));
        profiles.forEach((other, by) -> all.add(new Profile(other, by)));
        var options = SchedulerOptions.defaults().withProfiles(all).withGates(gates.gates(command));
        return takesOver ? options.takingOver() : options;
    }
}
