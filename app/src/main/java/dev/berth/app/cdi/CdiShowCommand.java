package dev.berth.app.cdi;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import dev.berth.node.cdi.CdiDeviceId;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.cdi.CdiRegistry.Offer;
import dev.berth.node.cdi.CdiTree;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth cdi show`: one device.
@Command(
        name = "show",
        description = {
            "Show what a runtime does to a container that is given a device: the edits",
            "of its file for all devices, and its own."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the device is shown", "1:there is no such device"},
        footer = {
            "",
            "Examples:",
            "  berth cdi show gpu.example.com/gpu=0",
            "  berth cdi show gpu.example.com/gpu=0 -o json",
            ""
        })
final class CdiShowCommand implements Callable<Integer> {

    /// How an answer is written.
    enum Format {
        YAML,
        JSON
    }

    private static final int NOT_FOUND = 1;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private Directories directories = new Directories();

    @Parameters(paramLabel = "ID", description = "The device: vendor/class=name.")
    private String id = "";

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}.")
    private Format format = Format.YAML;

    @Override
    public Integer call() throws IOException {
        var problem = CdiDeviceId.problem(id);
        if (problem.isPresent()) {
            throw new ParameterException(spec.commandLine(), problem.get());
        }
        var registry = directories.scan();
        var offer = registry.find(id);
        if (offer.isEmpty()) {
            var err = spec.commandLine().getErr();
            err.println("berth: there is no device " + id + similar(registry));
            Directories.complain(registry, err);
            return NOT_FOUND;
        }
        var tree = tree(offer.get());
        var out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case YAML -> YamlWriter.write(tree);
                    case JSON -> JsonWriter.pretty(tree);
                });
        out.flush();
        return 0;
    }

    private String similar(CdiRegistry registry) {
        var kind = id.substring(0, id.indexOf('=') + 1);
        var others =
                registry.offers().stream()
                        .map(offer -> offer.id().toString())
                        .filter(other -> other.startsWith(kind))
                        .toList();
        return others.isEmpty() ? "" : "; there are " + String.join(", ", others);
    }

    private static Json tree(Offer offer) {
        var source = offer.source();
        return JsonObject.of("id", Json.of(offer.id().toString()))
                .with("file", Json.of(source.file().toString()))
                .with("cdiVersion", Json.of(source.spec().version()))
                .with(
                        "containerEdits",
                        CdiTree.of(source.spec().edits().and(offer.device().edits())));
    }
}
