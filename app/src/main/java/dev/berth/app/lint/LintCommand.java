package dev.berth.app.lint;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.ManifestReader;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.config.ConfigException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth lint`: what an API server would say to these manifests, and what they probably mean.
@Command(
        name = "lint",
        description =
                "Check manifests as Kubernetes 1.37 would on creation, with file, line and field."
                        + " Classes, claims, templates, slices, taint rules, pods and pod templates"
                        + " are judged; other kinds are left alone. When slices are among the"
                        + " files, or a running cluster has some, names of attributes that no"
                        + " slice has are pointed out. Without files the objects of the running"
                        + " cluster are judged.",
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
            "  berth lint --live claim.yaml",
            "  berth lint -n ml",
            "  berth lint manifests/ --feature-gates DRAListTypeAttributes=true",
            "  kubectl get resourceslices -o yaml | berth lint - claim.yaml",
            ""
        })
public final class LintCommand implements Callable<Integer> {

    private static final int UNREADABLE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = {
                "Files, directories, or - for standard input.",
                "Without them the objects of a running cluster are judged."
            })
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--live",
            description = {
                "Compare names with the slices of the running cluster that kubectl would use;",
                "implied by --kubeconfig and --context."
            })
    private boolean isLive;

    @Option(
            names = {"-n", "--namespace"},
            description = "Without files, judge only this namespace and what is in none.")
    private Optional<String> namespace = Optional.empty();

    @Mixin private ClusterOptions where = new ClusterOptions();

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
        var live = new LiveManifests(namespace);
        if (isLive || where.isNamed() || files.isEmpty()) {
            try (var cluster = where.connect(spec.commandLine(), "berth")) {
                live.read(new LiveObjects(cluster), files.isEmpty());
            } catch (ConfigException e) {
                spec.commandLine().getErr().println("berth: " + e.getMessage());
                return UNREADABLE;
            }
            if (live.problem().isPresent()) {
                spec.commandLine().getErr().println("berth: " + live.problem().get());
                return UNREADABLE;
            }
        }
        return lint(reader, live);
    }

    private int lint(ManifestReader reader, LiveManifests live) {
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
        var manifests = new ArrayList<>(reader.manifests());
        manifests.addAll(live.manifests());
        findings.addAll(linter.lint(manifests, live.slices()));
        return report(findings, reader, manifests.size(), linter.judged());
    }

    private int report(List<Finding> findings, ManifestReader reader, int all, int judged) {
        var out = spec.commandLine().getOut();
        findings.forEach(out::println);
        var errors = findings.stream().filter(f -> f.severity() == Finding.Severity.ERROR).count();
        var other = all - judged;
        out.printf(
                "%d objects in %s: %d errors, %d warnings%s%n",
                judged,
                files.isEmpty() ? "the cluster" : reader.files() + " files",
                errors,
                findings.size() - errors,
                other == 0 ? "" : "; " + other + " objects of other kinds left alone");
        out.flush();
        return errors == 0 ? 0 : 1;
    }
}
