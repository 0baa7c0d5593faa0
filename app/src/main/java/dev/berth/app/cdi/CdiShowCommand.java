package dev.berth.app.cdi;

import dev.berth.app.print.OutputOption;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlWriter;
import dev.berth.node.cdi.CdiDeviceId;
import dev.berth.node.cdi.CdiJson;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.cdi.CdiRegistry.RegisteredDevice;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth cdi show`: prints the edits of one device.
@Command(
        name = "show",
        description = {
            "Show what a runtime changes in a container that gets a CDI device.",
            "",
            "These are the edits that the document makes for all of its devices, and those of the"
                    + " device. The format text is YAML."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:success", "1:the device does not exist", "2:usage error"},
        footer = {
            "Examples:",
            "  berth cdi show gpu.example.com/gpu=0",
            "  berth cdi show gpu.example.com/gpu=0 -o json"
        })
final class CdiShowCommand implements Callable<Integer> {

    private static final int NOT_FOUND = 1;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private CdiDirectoryOptions directories = new CdiDirectoryOptions();

    @Parameters(paramLabel = "ID", description = "Device, as VENDOR/CLASS=NAME.")
    private String id = "";

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException {
        var problem = CdiDeviceId.problem(id);
        if (problem.isPresent()) {
            throw new ParameterException(spec.commandLine(), problem.get());
        }
        var registry = directories.scan();
        var device = registry.find(id);
        if (device.isEmpty()) {
            var err = spec.commandLine().getErr();
            err.println("berth: there is no device " + id + similar(registry));
            CdiDirectoryOptions.printProblems(registry, err);
            return NOT_FOUND;
        }
        var tree = tree(device.get());
        var out = spec.commandLine().getOut();
        out.print(output.render(() -> YamlWriter.write(tree), () -> tree));
        out.flush();
        return 0;
    }

    private String similar(CdiRegistry registry) {
        var kind = id.substring(0, id.indexOf('=') + 1);
        var others =
                registry.devices().stream()
                        .map(device -> device.id().toString())
                        .filter(other -> other.startsWith(kind))
                        .toList();
        return others.isEmpty() ? "" : "; there are " + String.join(", ", others);
    }

    private static Json tree(RegisteredDevice device) {
        var source = device.source();
        return JsonObject.of("id", Json.of(device.id().toString()))
                .with("file", Json.of(source.file().toString()))
                .with("cdiVersion", Json.of(source.spec().version()))
                .with(
                        "containerEdits",
                        CdiJson.of(source.spec().edits().and(device.device().edits())));
    }
}
