package dev.berth.app.cdi;

import dev.berth.app.print.OutputOption;
import dev.berth.app.print.TextTable;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.cdi.CdiRegistry;
import dev.berth.node.cdi.CdiRegistry.RegisteredDevice;
import dev.berth.node.cdi.ContainerEdits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth cdi list`: lists all usable devices.
@Command(
        name = "list",
        description = {
            "List the CDI devices that runtimes can give to containers.",
            "",
            "For each device, the list shows what it adds to a container and the file that"
                    + " describes it. Files with errors are named on standard error."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "Examples:",
            "  berth cdi list",
            "  berth cdi list --dir /etc/cdi --dir /run/my-cdi -o json"
        })
final class CdiListCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private CdiDirectoryOptions directories = new CdiDirectoryOptions();

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException {
        var registry = directories.scan();
        CdiDirectoryOptions.printProblems(registry, spec.commandLine().getErr());
        var out = spec.commandLine().getOut();
        out.print(output.render(() -> table(registry), () -> tree(registry)));
        out.flush();
        return 0;
    }

    private String table(CdiRegistry registry) {
        if (registry.devices().isEmpty()) {
            var places = directories.all().stream().map(Object::toString).toList();
            var hint =
                    directories.isStandard()
                            ? " A node of `berth up --node local` has its own directory:"
                                    + " --dir DATA_DIR/node/cdi"
                            : "";
            return "No devices in %s.%s%n".formatted(String.join(", ", places), hint);
        }
        var table = new TextTable("DEVICE", "BRINGS", "FILE");
        for (var device : registry.devices()) {
            table.add(device.id().toString(), brings(device), device.source().file().toString());
        }
        return table.toString();
    }

    private static String brings(RegisteredDevice device) {
        var edits = device.source().spec().edits().and(device.device().edits());
        var parts = new ArrayList<String>();
        edits.deviceNodes().forEach(node -> parts.add(node.path()));
        edits.netDevices().forEach(net -> parts.add(net.name()));
        count(edits, parts);
        return String.join(", ", parts);
    }

    private static void count(ContainerEdits edits, List<String> parts) {
        add(parts, edits.env().size(), "variable");
        add(parts, edits.mounts().size(), "mount");
        add(parts, edits.hooks().size(), "hook");
        add(parts, edits.additionalGids().size(), "group");
        if (edits.intelRdt().isPresent()) {
            parts.add("a class of service");
        }
    }

    private static void add(List<String> parts, int count, String what) {
        if (count > 0) {
            parts.add(count + " " + what + (count == 1 ? "" : "s"));
        }
    }

    private static Json tree(CdiRegistry registry) {
        return Json.array(
                registry.devices().stream()
                        .map(device ->
                                JsonObject.of("id", Json.of(device.id().toString()))
                                        .with("file", Json.of(device.source().file().toString())))
                        .toList());
    }
}
