package dev.berth.app.manifest;

import dev.berth.core.admission.gate.FeatureGates;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The option `--feature-gates` of commands that read manifests.
public final class GateOptions {

    @Option(
            names = "--feature-gates",
            split = ",",
            paramLabel = "NAME=true|false",
            description =
                    "Feature gates, as NAME=true,NAME=false (default: those of Kubernetes 1.37).")
    private List<String> gates = new ArrayList<>();

    /// The feature gates; unknown and contradictory ones are a usage error.
    public FeatureGates gates(CommandLine command) {
        return switch (FeatureGates.defaults().with(gates)) {
            case FeatureGates.Setting.Accepted(var accepted) -> accepted;
            case FeatureGates.Setting.Refused(var problems) ->
                    throw new ParameterException(
                            command, "--feature-gates: " + String.join("; ", problems));
        };
    }
}
