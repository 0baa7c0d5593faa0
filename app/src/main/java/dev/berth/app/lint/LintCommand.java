package dev.berth.app.lint;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.manifest.GateOptions;
import dev.berth.app.manifest.Manifest;
import dev.berth.app.manifest.ManifestReader;
import dev.berth.app.print.OutputFormat;
import dev.berth.app.print.OutputOption;
import dev.berth.app.print.Palette;
import dev.berth.app.print.TerminalWriter;
import dev.berth.app.remote.ClusterOptions;
import dev.berth.client.config.ConfigException;
import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
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
                    + " are validated; other kinds are skipped.",
            "",
            "Warnings are about objects that the API server accepts and that probably do not work:"
                    + " attributes, domains and capacities that no device has, comparisons of"
                    + " different types, and with --live device classes, claims, templates,"
                    + " requests and extended resources that do not exist.",
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
            "  berth lint --live pod.yaml claim.yaml -n ml",
            "  berth lint -n ml -o json",
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
                    "Compare the files with the slices, classes, claims, templates and nodes of the"
                            + " running cluster. Implied by --kubeconfig and --context.")
    private boolean isLive;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description =
                    "Namespace of objects without one (default: that of the kubeconfig with --live,"
                            + " otherwise default). Without files, validate only this namespace"
                            + " and cluster-scoped objects.")
    private Optional<String> namespace = Optional.empty();

    @Mixin private OutputOption output = new OutputOption();

    @Mixin private ClusterOptions where = new ClusterOptions();

    @Mixin private GateOptions gates = new GateOptions();

    @Override
    public Integer call() {
        var featureGates = gates.gates(spec.commandLine());
        var manifests = new ArrayList<Manifest>();
        var reader = new ManifestReader(manifests::add);
        for (var file : files) {
            try {
                reader.read(file, System.in);
            } catch (IOException e) {
                return unreadable("cannot read " + FailureText.of(e));
            }
        }
        var where = namespace();
        var known = new ClusterKnowledge(where);
        known.add(manifests);
        if (readsCluster()) {
            try (var cluster = this.where.connect(spec.commandLine(), "berth")) {
                known.read(new LiveObjects(cluster, where), files.isEmpty());
            } catch (ConfigException e) {
                return unreadable(String.valueOf(e.getMessage()));
            }
            if (known.problem().isPresent()) {
                return unreadable(known.problem().get());
            }
            known.forbidden().ifPresent(text -> spec.commandLine().getErr().println(text));
        }
        return print(lint(new Linter(featureGates, now(), where), reader, manifests, known));
    }

    private static Instant now() {
        return Clock.systemUTC().instant();
    }

    private boolean readsCluster() {
        return isLive || where.isNamed() || files.isEmpty();
    }

    /// The namespace of the option, that of the kubeconfig when a cluster is read, or `default`.
    private String namespace() {
        if (namespace.isPresent() || !readsCluster()) {
            return namespace.orElse("default");
        }
        try {
            var found = where.access().namespace();
            return found.isEmpty() ? "default" : found;
        } catch (ConfigException _) {
            // The connection reports the error.
            return "default";
        }
    }

    private int unreadable(String reason) {
        spec.commandLine().getErr().println("berth: " + reason);
        return UNREADABLE;
    }

    private LintReport lint(
            Linter linter, ManifestReader reader, List<Manifest> read, ClusterKnowledge known) {
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
        var manifests = files.isEmpty() ? known.live(namespace) : read;
        findings.addAll(linter.lint(manifests, known));
        return new LintReport(
                findings,
                reader.empty(),
                reader.files(),
                files.isEmpty(),
                linter.validated(),
                manifests.size() - linter.validated());
    }

    private int print(LintReport report) {
        var out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.TEXT) {
            TerminalWriter.printStyled(out, report.text(Palette.ofTerminal()));
        } else {
            out.print(output.render(String::new, report::json));
        }
        out.flush();
        return report.errors() == 0 ? 0 : 1;
    }
}
