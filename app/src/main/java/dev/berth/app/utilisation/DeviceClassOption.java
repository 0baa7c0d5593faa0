package dev.berth.app.utilisation;

import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.NodeInventory;
import dev.berth.model.text.SimilarNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option `--class` of commands that show devices.
public final class DeviceClassOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--class",
            paramLabel = "CLASS",
            description = "Show only devices of this device class.")
    private Optional<String> deviceClass = Optional.empty();

    /// The utilisation of the chosen class, or of all.
    public ClusterUtilisation filter(ClusterUtilisation utilisation) {
        if (deviceClass.isEmpty()) {
            return utilisation;
        }
        var name = deviceClass.get();
        var one = utilisation.of(name).orElseThrow(() -> unknown(name, utilisation));
        return new ClusterUtilisation(new TreeMap<>(Map.of(name, one)));
    }

    private ParameterException unknown(String name, ClusterUtilisation utilisation) {
        var similar =
                SimilarNames.question(name, utilisation.classes().keySet())
                        .map(question -> "; " + question)
                        .orElse("");
        return new ParameterException(
                command.commandLine(), "--class: unknown device class " + name + similar);
    }

    /// The devices of the chosen class, or all.
    public List<NodeInventory> filter(List<NodeInventory> inventories) {
        return inventories.stream()
                .map(one -> deviceClass.map(one::ofClass).orElse(one))
                .filter(one -> deviceClass.isEmpty() || !one.devices().isEmpty())
                .toList();
    }
}
