package dev.berth.app.inventory;

import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.print.OutputFormat;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalWriter;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.taint.TaintRules;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.text.SimilarNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `berth inventory`: shows the devices of a cluster from files or of a running cluster.
@Command(
        name = "inventory",
        description = {
            "Show the devices of each node by NUMA node and PCIe root, with their state and"
                    + " holders.",
            "",
            "A device is free, in use, shared (with the capacity that is left), tainted, or blocked"
                    + " because other devices have consumed its counters. Pools that cannot be used"
                    + " are listed with the reason. On a terminal, long names of claims are"
                    + " shortened to fit its width."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:success", "2:usage error, or a file or the cluster cannot be read"},
        footer = {
            "Examples:",
            "  berth inventory",
            "  berth inventory -f cluster/",
            "  berth inventory -f cluster/ --node node-1 -o json",
            "  kubectl get nodes,resourceslices,resourceclaims -A -o yaml | berth inventory -f -"
        })
public final class InventoryCommand implements Callable<Integer> {

    private static final int BAD_INPUT = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterSource source = new ClusterSource();

    @Option(names = "--node", paramLabel = "NAME", description = "Show only this node.")
    private Optional<String> node = Optional.empty();

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        // All fields of files are shown, whether or not a cluster has their feature enabled.
        var gates = FeatureGates.all();
        var cluster = source.read(spec.commandLine(), gates);
        var scenario = cluster.scenario(OptionalInt.empty());
        if (!cluster.problems().isEmpty()) {
            cluster.problems().forEach(p -> spec.commandLine().getErr().println("berth: " + p));
            return BAD_INPUT;
        }
        var nodes = nodes(scenario);
        if (node.isPresent() && !nodes.containsKey(node.get())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--node: unknown node %s%s".formatted(node.get(), similar(nodes.keySet())));
        }
        var slices =
                scenario.slices().stream()
                        .map(slice -> TaintRules.apply(slice, scenario.taintRules()))
                        .toList();
        var fleet =
                ClusterInventory.of(
                        nodes.values(),
                        slices,
                        List.of(),
                        PlacementFeatures.rules(PlacementFeatures.of(gates)));
        var stocks =
                new InventoryBuilder(fleet, scenario.claims())
                        .take().stream()
                                .filter(stock -> node.map(stock.title()::equals).orElse(true))
                                .toList();
        print(stocks);
        return 0;
    }

    /// The nodes, including those that only slices name: dumps often contain only slices.
    private static Map<String, Node> nodes(PlanInput scenario) {
        var nodes = new TreeMap<String, Node>();
        scenario.nodes().forEach(one -> nodes.put(one.name(), one));
        for (var slice : scenario.slices()) {
            if (slice.spec().scope() instanceof NodeScope.OneNode(var name)) {
                nodes.putIfAbsent(
                        name, new Node(ObjectMeta.of(name), NodeSpec.EMPTY, NodeStatus.EMPTY));
            }
        }
        return nodes;
    }

    private String similar(Set<String> nodes) {
        return node.flatMap(name -> SimilarNames.question(name, nodes))
                .map(question -> "; " + question)
                .orElse("");
    }

    private void print(List<NodeInventory> stocks) {
        var out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.TEXT) {
            var text = new InventoryText(Palette.ofTerminal(), Terminal.width());
            TerminalWriter.printStyled(out, text.of(stocks));
        } else {
            out.print(output.render(String::new, () -> InventoryJson.of(stocks)));
        }
        out.flush();
    }
}
