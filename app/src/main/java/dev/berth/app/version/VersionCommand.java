package dev.berth.app.version;

import dev.berth.app.print.OutputOption;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth version`.
@Command(
        name = "version",
        description = {
            "Print the version of Berth.",
            "",
            "The version is that of the Maven artifacts. The commit is printed when Berth was built"
                    + " from a Git checkout, with \"-dirty\" when the checkout had changes."
        },
        mixinStandardHelpOptions = true,
        footer = {"Examples:", "  berth version", "  berth version -o json"})
public final class VersionCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        var version = BuildVersion.current();
        var out = spec.commandLine().getOut();
        out.print(output.render(() -> version + "\n", () -> tree(version)));
        out.flush();
        return 0;
    }

    private static JsonObject tree(BuildVersion version) {
        return JsonObject.of("version", Json.of(version.number()))
                .with("commit", Json.of(version.commit().orElse("")))
                .with("kubernetes", Json.of(BuildVersion.KUBERNETES))
                .with("java", Json.of(Runtime.version().toString()));
    }
}
