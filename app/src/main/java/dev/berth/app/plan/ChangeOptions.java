package dev.berth.app.plan;

import dev.berth.core.plan.PlanChanges;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.TolerationText;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.text.SimilarNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Options that change the cluster before pods are planned.
final class ChangeOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--release",
            paramLabel = "CLAIM",
            split = ",",
            description =
                    "Plan as if this claim (NAMESPACE/NAME) had released its devices. Pods that use"
                            + " it end. Repeatable.")
    private List<String> released = new ArrayList<>();

    @Option(
            names = "--tolerate",
            paramLabel = "KEY[=VALUE][:EFFECT]",
            description =
                    "Plan as if all planned pods tolerated this taint of devices and nodes."
                            + " Repeatable.")
    private List<String> tolerated = new ArrayList<>();

    @Option(
            names = "--remove-nodes",
            paramLabel = "NODE",
            split = ",",
            description =
                    "Plan without these nodes. Their pods are planned anew, except those of"
                            + " DaemonSets.")
    private List<String> removedNodes = new ArrayList<>();

    /// The changes for a cluster.
    PlanChanges changes(PlanInput input) {
        var nodes = input.nodes().stream().map(Node::name).toList();
        for (var node : removedNodes) {
            if (!nodes.contains(node)) {
                throw wrong("--remove-nodes: unknown node " + node, node, nodes);
            }
        }
        return new PlanChanges(
                released.stream().map(name -> claim(name, input)).collect(Collectors.toSet()),
                tolerated.stream().map(this::toleration).toList(),
                Set.copyOf(removedNodes));
    }

    private ObjectRef claim(String name, PlanInput input) {
        var slash = name.indexOf('/');
        var ref =
                slash < 0
                        ? new ObjectRef("default", name)
                        : new ObjectRef(name.substring(0, slash), name.substring(slash + 1));
        var claim = input.claims().stream().filter(one -> one.ref().equals(ref)).findFirst();
        if (claim.isEmpty()) {
            var names = input.claims().stream().map(one -> one.ref().toString()).toList();
            throw wrong("--release: unknown claim " + ref, ref.toString(), names);
        }
        if (claim.get().status().allocation().isEmpty()) {
            throw new ParameterException(
                    command.commandLine(), "--release: claim %s has no devices".formatted(ref));
        }
        return ref;
    }

    private ParameterException wrong(String text, String name, List<String> known) {
        var similar =
                SimilarNames.question(name, known).map(question -> "; " + question).orElse("");
        return new ParameterException(command.commandLine(), text + similar);
    }

    private DeviceToleration toleration(String text) {
        return switch (TolerationText.parse(text)) {
            case TolerationText.Parsed.Valid(var toleration) -> toleration;
            case TolerationText.Parsed.Invalid(var problem) ->
                    throw new ParameterException(
                            command.commandLine(), "--tolerate: " + problem);
        };
    }
}
