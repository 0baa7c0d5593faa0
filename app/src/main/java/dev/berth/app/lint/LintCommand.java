package dev.berth.app.lint;

import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.ManifestReader;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth lint`: what an API server would say to these manifests, and what they probably mean.
@Command(
        name = "lint",
        description =
                "Check manifests as Kubernetes 1.37 would on creation, with file, line and field."
                        + " Classes, claims, templates, slices, taint rules, pods and pod templates"
                        + " are judged; other kinds are left alone. When slices are among the"
                        + " files, names of attributes that no slice has are pointed out.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all objects are valid",
            "1:some are not",
            "2:the command line is wrong, or a file cannot be read"
        },
        footer = {
            "",
            "Examples:",
            "  berth lint claim.yaml",
            "  berth lint manifests/ --feature-gates DRAListTypeAttributes=true",
            "  kubectl get resourceslices -o yaml | berth lint - claim.yaml",
            ""
        })
public final class LintCommand implements Callable<Integer> {

    private static final int UNREADABLE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Files, directories, or - for standard input.")
    private List<String> files = new ArrayList<>();

    @Mixin private GateOptions gates = new GateOptions();

    @Override
    public Integer call() {
        var reader = new ManifestReader();
        for (var file : files) {
            try {
                reader.read(file, System.in);
            } catch (IOException e) {
                spec.commandLine().getErr().println("berth: cannot read " + e.getMessage());
                return UNREADABLE;
            }
        }
        var linter = new Linter(gates.gates(spec.commandLine()), Clock.systemUTC().instant());
        var findings = new ArrayList<Finding>();
        for (var text : reader.unreadable()) {
            findings.add(
                    new Finding(
                            text.file(),
                            text.line(),
                            text.column(),
                            Finding.Severity.ERROR,
                            text.reason()));
        }
        findings.addAll(linter.lint(reader.manifests()));
        return report(findings, reader, linter.judged());
    }

    private int report(List<Finding> findings, ManifestReader reader, int judged) {
        var out = spec.commandLine().getOut();
        findings.forEach(out::println);
        var errors = findings.stream().filter(f -> f.severity() == Finding.Severity.ERROR).count();
        var other = reader.manifests().size() - judged;
        out.printf(
                "%d objects in %d files: %d errors, %d warnings%s%n",
                judged,
                reader.files(),
                errors,
                findings.size() - errors,
                other == 0 ? "" : "; " + other + " objects of other kinds left alone");
        out.flush();
        return errors == 0 ? 0 : 1;
    }
}
