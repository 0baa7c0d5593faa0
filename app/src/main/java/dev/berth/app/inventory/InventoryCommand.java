package dev.berth.app.inventory;

import dev.berth.app.cluster.ClusterSource;
import dev.berth.app.print.OutputFormat;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Terminal;
import dev.berth.app.print.TerminalText;
import dev.berth.app.utilisation.DeviceClassOption;
import dev.berth.app.utilisation.LiveView;
import dev.berth.app.utilisation.ObservedCluster;
import dev.berth.app.utilisation.UtilisationText;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.utilisation.NodeInventory;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.model.api.node.Node;
import dev.berth.model.text.SimilarNames;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
            "Show the devices of each node by NUMA node and PCIe root, with product, memory, state"
                    + " and pod.",
            "",
            "A device is free, in use, shared (with the capacity that is left), tainted, or blocked"
                    + " because other devices have consumed its counters. Identical nodes are shown"
                    + " once, as node-[0-7]. Pools that cannot be used are listed with the reason."
                    + " On a terminal, long names are shortened to fit its width."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:success", "2:usage error, or a file or the cluster cannot be read"},
        footer = {
            "Examples:",
            "  berth inventory",
            "  berth inventory --summary --watch",
            "  berth inventory -f cluster/ --class gpu.nvidia.com",
            "  berth inventory -f cluster/ --node node-1 -o json",
            "  kubectl get nodes,resourceslices,resourceclaims -A -o yaml | berth inventory -f -"
        })
public final class InventoryCommand implements Callable<Integer> {

    private static final int REFRESH_SECONDS = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ClusterSource source = new ClusterSource();

    @Option(names = "--node", paramLabel = "NAME", description = "Show only this node.")
    private Optional<String> node = Optional.empty();

    @Mixin private DeviceClassOption deviceClass = new DeviceClassOption();

    @Option(
            names = "--summary",
            description =
                    "Show only totals: devices in use and what still fits, by device class and"
                            + " namespace.")
    private boolean isSummary;

    @Option(
            names = {"-w", "--watch"},
            description = "Refresh the output on the terminal every two seconds.")
    private boolean isWatch;

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws InterruptedException {
        var allocator = new Allocator(Allocator.DEFAULT_BUDGET);
        var calculator = ObservedCluster.calculator(allocator);
        var isLive = isWatch && output.format() == OutputFormat.TEXT && Terminal.isOutput();
        return LiveView.run(
                spec.commandLine(),
                source,
                isLive ? OptionalInt.of(REFRESH_SECONDS) : OptionalInt.empty(),
                observed -> lines(observed, calculator, allocator));
    }

    private List<String> lines(
            ObservedCluster observed, UtilisationCalculator calculator, Allocator allocator) {
        checkNode(observed);
        var utilisation = deviceClass.filter(observed.utilisation(calculator));
        if (isSummary && output.format() == OutputFormat.TEXT) {
            return UtilisationText.summary(utilisation, Terminal.width()).lines().toList();
        }
        var inventories =
                isSummary
                        ? List.<NodeInventory>of()
                        : deviceClass.filter(observed.inventory(allocator)).stream()
                                .filter(this::isChosen)
                                .toList();
        var text =
                output.render(
                        () ->
                                new InventoryText(Palette.ofTerminal(), Terminal.width())
                                        .of(inventories),
                        () -> InventoryJson.of(inventories, utilisation));
        // Text is escaped with its colours; other formats are escaped here.
        return (output.format() == OutputFormat.TEXT ? text : TerminalText.escape(text))
                .lines()
                .toList();
    }

    private boolean isChosen(NodeInventory inventory) {
        return node.map(name -> inventory.nodes().equals(List.of(name))).orElse(true);
    }

    private void checkNode(ObservedCluster observed) {
        if (node.isPresent() && observed.snapshot().inventory().node(node.get()).isEmpty()) {
            var names = observed.snapshot().inventory().nodes().stream().map(Node::name).toList();
            var similar =
                    SimilarNames.question(node.get(), names)
                            .map(question -> "; " + question)
                            .orElse("");
            throw new ParameterException(
                    spec.commandLine(), "--node: unknown node %s%s".formatted(node.get(), similar));
        }
    }
}
