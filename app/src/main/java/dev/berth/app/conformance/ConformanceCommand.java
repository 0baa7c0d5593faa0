package dev.berth.app.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth conformance`: how closely Berth answers as Kubernetes 1.37 does.
@Command(
        name = "conformance",
        description = "Compare Berth's answers with recorded answers of a real Kubernetes.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "SUITE",
        footer = {"", "Example:  berth conformance cel cases/cel.jsonl", ""})
public final class ConformanceCommand {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Command(
            name = "cel",
            description = "Compile, cost and evaluate CEL expressions on devices.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:  berth conformance cel cases/cel.jsonl", ""})
    int cel(@Parameters(paramLabel = "FILE", arity = "1..*") List<Path> files) throws IOException {
        return run(new CelSuite(), files);
    }

    @Command(
            name = "validation",
            description = "Validate objects on create, update and status update.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:  berth conformance validation cases/validation.jsonl", ""})
    int validation(@Parameters(paramLabel = "FILE", arity = "1..*") List<Path> files)
            throws IOException {
        return run(new ValidationSuite(), files);
    }

    @Command(
            name = "allocator",
            description = "Choose devices for claims on a node.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:  berth conformance allocator cases/allocator.jsonl", ""})
    int allocator(@Parameters(paramLabel = "FILE", arity = "1..*") List<Path> files)
            throws IOException {
        return run(new AllocatorSuite(), files);
    }

    @Command(
            name = "http",
            description = "Send requests to an API server that is started for it.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:  berth conformance http cases/http-create.jsonl", ""})
    int http(@Parameters(paramLabel = "FILE", arity = "1..*") List<Path> files) throws IOException {
        try (var suite = new HttpSuite()) {
            return run(suite, files);
        }
    }

    private int run(Suite suite, List<Path> files) throws IOException {
        for (var file : files) {
            if (!Files.isReadable(file)) {
                spec.commandLine().getErr().println("berth: cannot read " + file);
                return 2;
            }
        }
        var out = spec.commandLine().getOut();
        return new ConformanceRun(suite, out).run(files) ? 0 : 1;
    }
}
