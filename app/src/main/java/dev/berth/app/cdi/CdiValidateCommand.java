package dev.berth.app.cdi;

import dev.berth.node.cdi.CdiProblem;
import dev.berth.node.cdi.CdiReader;
import dev.berth.node.cdi.CdiRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth cdi validate`: checks whether runtimes accept CDI specs.
@Command(
        name = "validate",
        description = {
            "Validate CDI documents with the rules of container runtimes.",
            "",
            "Documents on which a runtime would crash are marked as dangerous. In directories,"
                    + " devices that are described twice are reported, too."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all documents are valid",
            "1:some documents are invalid",
            "2:usage error, or a file does not exist"
        },
        footer = {
            "Examples:",
            "  berth cdi validate",
            "  berth cdi validate /etc/cdi my-device.yaml"
        })
final class CdiValidateCommand implements Callable<Integer> {

    private static final int INVALID = 1;
    private static final int UNREADABLE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Files or directories (default: /etc/cdi and /var/run/cdi).")
    private List<Path> paths = new ArrayList<>();

    private int valid;
    private int broken;

    @Override
    public Integer call() throws IOException {
        var isStandard = paths.isEmpty();
        for (var path : isStandard ? CdiRegistry.STANDARD : paths) {
            if (Files.isDirectory(path)) {
                checkDirectory(path);
            } else if (Files.exists(path)) {
                checkFile(path);
            } else if (!isStandard) {
                spec.commandLine().getErr().printf("berth: %s: no such file or directory%n", path);
                return UNREADABLE;
            }
        }
        var out = spec.commandLine().getOut();
        out.printf("%d valid, %d invalid%n", valid, broken);
        out.flush();
        return broken == 0 ? 0 : INVALID;
    }

    private void checkDirectory(Path directory) throws IOException {
        var registry = CdiRegistry.scan(List.of(directory));
        var problems = registry.problems();
        problems.forEach(this::report);
        broken += problems.size();
        valid +=
                (int)
                        registry.sources().stream()
                                .filter(source -> !problems.containsKey(source.file()))
                                .count();
    }

    private void checkFile(Path file) throws IOException {
        switch (CdiReader.read(Files.readString(file))) {
            case CdiReader.Result.Valid _ -> valid++;
            case CdiReader.Result.Invalid(var problems) -> {
                broken++;
                report(file, problems);
            }
        }
    }

    private void report(Path file, List<CdiProblem> problems) {
        for (var problem : problems) {
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s:%s%s%s%n",
                            file,
                            problem.line() == 0 ? " " : "",
                            problem,
                            problem.isDangerous() ? " (dangerous)" : "");
        }
    }
}
