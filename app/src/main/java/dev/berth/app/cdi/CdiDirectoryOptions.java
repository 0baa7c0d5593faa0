package dev.berth.app.cdi;

import dev.berth.node.cdi.CdiRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The option for directories with CDI specs.
final class CdiDirectoryOptions {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Directory with CDI documents. Repeatable; later ones take precedence (default:"
                            + " /etc/cdi and /var/run/cdi).")
    private List<Path> directories = new ArrayList<>();

    CdiRegistry scan() throws IOException {
        return CdiRegistry.scan(all());
    }

    List<Path> all() {
        return isStandard() ? CdiRegistry.STANDARD : directories;
    }

    /// True when no directory was named.
    boolean isStandard() {
        return directories.isEmpty();
    }

    /// Prints the problems of files, one line each with file and position.
    static void printProblems(CdiRegistry registry, PrintWriter out) {
        registry.problems()
                .forEach((file, problems) ->
                        problems.forEach(problem ->
                                out.println(file + ":" + gap(problem.line()) + problem)));
    }

    private static String gap(int line) {
        return line == 0 ? " " : "";
    }
}
