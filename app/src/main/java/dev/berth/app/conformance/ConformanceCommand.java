package dev.berth.app.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth conformance`: compares Berth with recorded results of Kubernetes 1.37.
@Command(
        name = "conformance",
        description = "Compare results of Berth with results recorded from Kubernetes.",
        mixinStandardHelpOptions = true,
        footer = {"Example:", "  berth conformance cel cases/cel.jsonl"})
public final class ConformanceCommand {

    private static final String CASES = "Files with recorded cases, one JSON object per line.";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Command(
            name = "cel",
            description = "Compare CEL expressions on devices: compilation, cost and evaluation.",
            mixinStandardHelpOptions = true,
            exitCodeList = {"0:all cases agree", "1:some cases differ", "2:usage error"},
            footer = {"Example:", "  berth conformance cel cases/cel.jsonl"})
    int cel(@Parameters(paramLabel = "FILE", arity = "1..*", description = CASES) List<Path> files)
            throws IOException {
        return run(new CelSuite(), files);
    }

    @Command(
            name = "validation",
            description = "Compare the validation of objects on create, update and status update.",
            mixinStandardHelpOptions = true,
            exitCodeList = {"0:all cases agree", "1:some cases differ", "2:usage error"},
            footer = {"Example:", "  berth conformance validation cases/validation.jsonl"})
    int validation(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = CASES) List<Path> files)
            throws IOException {
        return run(new ValidationSuite(), files);
    }

    @Command(
            name = "allocator",
            description = "Compare the devices that are allocated to claims on a node.",
            mixinStandardHelpOptions = true,
            exitCodeList = {"0:all cases agree", "1:some cases differ", "2:usage error"},
            footer = {"Example:", "  berth conformance allocator cases/allocator.jsonl"})
    int allocator(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = CASES) List<Path> files)
            throws IOException {
        return run(new AllocatorSuite(), files);
    }

    @Command(
            name = "http",
            description =
                    "Compare responses of an API server, which is started for the comparison.",
            mixinStandardHelpOptions = true,
            exitCodeList = {"0:all cases agree", "1:some cases differ", "2:usage error"},
            footer = {"Example:", "  berth conformance http cases/http-create.jsonl"})
    int http(@Parameters(paramLabel = "FILE", arity = "1..*", description = CASES) List<Path> files)
            throws IOException {
        try (var suite = new HttpSuite()) {
            return run(suite, files);
        }
    }

    @Command(
            name = "protobuf",
            description = "Compare the protobuf encoding of objects, lists and watch events.",
            mixinStandardHelpOptions = true,
            exitCodeList = {"0:all cases agree", "1:some cases differ", "2:usage error"},
            footer = {"Example:", "  berth conformance protobuf cases/protobuf.jsonl"})
    int protobuf(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = CASES) List<Path> files)
            throws IOException {
        return run(new ProtobufSuite(), files);
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
