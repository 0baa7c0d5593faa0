package dev.berth.app.lint;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.ManifestReader;
import dev.berth.app.print.Palette;
import dev.berth.app.print.TerminalWriter;
import dev.berth.app.print.TextWrap;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.config.ConfigException;
import dev.berth.model.text.FailureText;
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

/// `berth lint`: validates manifests and reports likely mistakes.
@Command(
        name = "lint",
        description = {
            "Validate manifests with the rules of the Kubernetes 1.37 API server.",
            "",
            "Errors and warnings name the file, line and field. DeviceClasses, ResourceClaims and"
                    + " their templates, ResourceSlices, DeviceTaintRules, Pods and pod templates"
                    + " are validated; other kinds are skipped. If the files or the running cluster"
                    + " contain ResourceSlices, attribute names that no slice has are reported.",
            "",
            "Without files, the objects of the running cluster are validated."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:all objects are valid",
            "1:some objects are invalid",
            "2:usage error, or a file or the cluster cannot be read"
        },
        footer = {
            "Examples:",
            "  berth lint claim.yaml",
            "  berth lint --live claim.yaml",
            "  berth lint -n ml",
            "  berth lint manifests/ --feature-gates DRAListTypeAttributes=true",
            "  kubectl get resourceslices -o yaml | berth lint - claim.yaml"
        })
public final class LintCommand implements Callable<Integer> {

    private static final int UNREADABLE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description =
                    "Files, directories, or - for standard input (default: the objects of the"
                            + " running cluster).")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--live",
            description =
                    "Compare attribute names with the slices of the running cluster. Implied by"
                            + " --kubeconfig and --context.")
    private boolean isLive;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Without files, validate only this namespace and cluster-scoped objects.")
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
                spec.commandLine().getErr().println("berth: cannot read " + FailureText.of(e));
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
        var findings = new ArrayList<LintFinding>();
        for (var text : reader.unreadable()) {
            findings.add(
                    new LintFinding(
                            text.file(),
                            text.line(),
                            text.column(),
                            LintFinding.Severity.ERROR,
                            text.reason()));
        }
        var manifests = new ArrayList<>(reader.manifests());
        manifests.addAll(live.manifests());
        findings.addAll(linter.lint(manifests, live.slices()));
        return report(findings, reader, manifests.size(), linter.validated());
    }

    private int report(List<LintFinding> findings, ManifestReader reader, int all, int validated) {
        var out = spec.commandLine().getOut();
        var palette = Palette.ofTerminal();
        findings.forEach(one -> TerminalWriter.printStyled(out, one.text(palette) + "\n"));
        reader.empty().forEach(file -> out.println(file + ": the file contains no objects"));
        var errors =
                findings.stream().filter(f -> f.severity() == LintFinding.Severity.ERROR).count();
        var other = all - validated;
        out.printf(
                "%s in %s: %s, %s%s%n",
                TextWrap.count(validated, "object"),
                files.isEmpty() ? "the cluster" : TextWrap.count(reader.files(), "file"),
                TextWrap.count(errors, "error"),
                TextWrap.count(findings.size() - errors, "warning"),
                other == 0
                        ? ""
                        : "; %s of other kinds skipped".formatted(TextWrap.count(other, "object")));
        out.flush();
        return errors == 0 ? 0 : 1;
    }
}
