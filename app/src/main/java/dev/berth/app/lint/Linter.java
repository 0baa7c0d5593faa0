package dev.berth.app.lint;

import dev.berth.app.manifest.Manifest;
import dev.berth.core.admission.Admission;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.lint.AttributeNameUse;
import dev.berth.core.lint.KnownNames;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.SchemaCheck;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Judges objects as an API server would that is asked to create them.
final class Linter {

    /// What a name made by the server could look like, for objects that ask for one.
    private static final String MADE_SUFFIX = "x2b4c";

    private final Admission admission;
    private final Instant now;
    private final List<LintFinding> findings = new ArrayList<>();
    private int judged;

    Linter(FeatureGates gates, Instant now) {
        this.admission = new Admission(gates);
        this.now = now;
    }

    /// Findings in the order of files and lines.
    ///
    /// @param known slices that are there besides those among the manifests
    List<LintFinding> lint(List<Manifest> manifests, List<ResourceSlice> known) {
        for (var manifest : manifests) {
            judge(manifest);
        }
        var slices = slices(manifests);
        slices.addAll(known);
        if (!slices.isEmpty()) {
            doubtNames(manifests, new AttributeNameUse(new KnownNames(slices)));
        }
        findings.sort(
                Comparator.comparing(LintFinding::file)
                        .thenComparingInt(LintFinding::line)
                        .thenComparingInt(LintFinding::column));
        return findings;
    }

    /// How many objects were of a kind that could be judged.
    int judged() {
        return judged;
    }

    private void judge(Manifest manifest) {
        if (manifest.kind().isEmpty() || manifest.apiVersion().isEmpty()) {
            var missing = manifest.kind().isEmpty() ? "kind" : "apiVersion";
            report(manifest, FieldPath.ROOT, LintFinding.Severity.ERROR, missing + " is missing");
            return;
        }
        var kind = Kinds.byApiVersionAndKind(manifest.apiVersion(), manifest.kind());
        if (kind.isPresent()) {
            judge(manifest, kind.get());
            return;
        }
        if (manifest.apiVersion().startsWith(Kinds.RESOURCE_GROUP + "/")) {
            report(
                    manifest,
                    FieldPath.of("kind"),
                    LintFinding.Severity.ERROR,
                    "%s has no kind %s in Kubernetes 1.37"
                            .formatted(manifest.apiVersion(), manifest.kind()));
            return;
        }
        PodTemplates.of(manifest).ifPresent(this::judgeTemplate);
    }

    private void judge(Manifest manifest, Kind<?> kind) {
        judged++;
        for (var duplicate : manifest.document().duplicates()) {
            report(manifest, duplicate, "duplicate field \"" + duplicate + "\"");
        }
        var version = manifest.apiVersion().substring(manifest.apiVersion().indexOf('/') + 1);
        var checked = SchemaCheck.check(kind, version, manifest.object());
        checked.problems().forEach(p -> report(manifest, p.path(), p.message()));
        if (checked.isUsable()) {
            Deprecations.of(manifest)
                    .ifPresent(text ->
                            report(
                                    manifest,
                                    FieldPath.of("apiVersion"),
                                    LintFinding.Severity.WARNING,
                                    text));
            admit(manifest, kind, checked.object());
        }
    }

    private void admit(Manifest manifest, Kind<?> kind, JsonObject object) {
        var rules = dev.berth.core.admission.AdmissionKind.named(kind.name());
        if (rules.isEmpty()) {
            return;
        }
        var admitted = admission.create(rules.get(), named(object, kind.isNamespaced()), now);
        admitted.problems().forEach(p -> report(manifest, p.path(), p.toString()));
        for (var warning : admitted.warnings()) {
            report(manifest, FieldPath.of("spec"), LintFinding.Severity.WARNING, warning);
        }
        // Also when it is refused: an attribute may only be empty because its list was dropped.
        for (var path : DroppedSpecFields.from(object, admitted.object())) {
            report(
                    manifest,
                    path,
                    LintFinding.Severity.WARNING,
                    path + ": dropped by the API server with these feature gates");
        }
    }

    /// The server would fill in a name and a namespace.
    private static JsonObject named(JsonObject object, boolean namespaced) {
        var metadata = object.objectOrEmpty("metadata");
        var prefix = metadata.string("generateName");
        if (prefix.isPresent() && metadata.text("name").isEmpty()) {
            metadata = metadata.with("name", Json.of(prefix.get() + MADE_SUFFIX));
        }
        if (namespaced && metadata.text("namespace").isEmpty()) {
            metadata = metadata.with("namespace", Json.of("default"));
        }
        return object.with("metadata", metadata);
    }

    private void judgeTemplate(PodTemplates.Template template) {
        judged++;
        var pod = named(template.pod(), true);
        var admitted = admission.create(dev.berth.core.admission.AdmissionKind.POD, pod, now);
        for (var problem : admitted.problems()) {
            var at = template.place(problem.path());
            findings.add(
                    new LintFinding(
                            template.manifest().file(),
                            at.line(),
                            at.column(),
                            LintFinding.Severity.ERROR,
                            "pod template: " + problem));
        }
    }

    private static List<ResourceSlice> slices(List<Manifest> manifests) {
        var codec = new Codec();
        var slices = new ArrayList<ResourceSlice>();
        for (var manifest : manifests) {
            if (codec.readTree(manifest.object(), UnknownFieldPolicy.LENIENT)
                            instanceof Decoded.Read<?> read
                    && read.object() instanceof ResourceSlice slice) {
                slices.add(slice);
            }
        }
        return slices;
    }

    private void doubtNames(List<Manifest> manifests, AttributeNameUse use) {
        for (var manifest : manifests) {
            var version = manifest.apiVersion().substring(manifest.apiVersion().indexOf('/') + 1);
            Kinds.byApiVersionAndKind(manifest.apiVersion(), manifest.kind())
                    .map(kind -> SchemaCheck.check(kind, version, manifest.object()))
                    .filter(SchemaCheck.Checked::isUsable)
                    .ifPresent(checked ->
                            doubts(manifest.kind(), checked.object(), use)
                                    .forEach(doubt -> report(manifest, doubt)));
        }
    }

    private static List<AttributeNameUse.Doubt> doubts(
            String kind, JsonObject object, AttributeNameUse use) {
        var spec = object.objectOrEmpty("spec");
        var path = FieldPath.of("spec");
        return switch (kind) {
            case "DeviceClass" -> use.inClass(object);
            case "ResourceClaim" -> use.inClaim(spec, path);
            case "ResourceClaimTemplate" ->
                    use.inClaim(spec.objectOrEmpty("spec"), path.child("spec"));
            default -> List.of();
        };
    }

    private void report(Manifest manifest, AttributeNameUse.Doubt doubt) {
        report(
                manifest,
                doubt.path(),
                LintFinding.Severity.WARNING,
                doubt.path() + ": " + doubt.text());
    }

    private void report(Manifest manifest, FieldPath path, String text) {
        report(manifest, path, LintFinding.Severity.ERROR, text);
    }

    private void report(
            Manifest manifest, FieldPath path, LintFinding.Severity severity, String text) {
        var at = manifest.place(path);
        findings.add(new LintFinding(manifest.file(), at.line(), at.column(), severity, text));
    }
}
