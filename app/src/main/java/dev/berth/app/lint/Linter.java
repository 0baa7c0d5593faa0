package dev.berth.app.lint;

import dev.berth.app.manifest.Manifest;
import dev.berth.core.admission.Admission;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.lint.AttributeNameUse;
import dev.berth.core.lint.KnownNames;
import dev.berth.model.api.slice.ResourceSlice;
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

/// Validates objects with the rules that an API server applies on creation.
final class Linter {

    /// Suffix for objects with `generateName`.
    private static final String GENERATED_SUFFIX = "x2b4c";

    private final Admission admission;
    private final Instant now;
    private final List<LintFinding> findings = new ArrayList<>();
    private int validated;

    Linter(FeatureGates gates, Instant now) {
        this.admission = new Admission(gates);
        this.now = now;
    }

    /// Findings in the order of files and lines.
    ///
    /// @param known slices besides those of the manifests
    List<LintFinding> lint(List<Manifest> manifests, List<ResourceSlice> known) {
        for (var manifest : manifests) {
            validate(manifest);
        }
        var slices = slices(manifests);
        slices.addAll(known);
        if (!slices.isEmpty()) {
            checkNames(manifests, new AttributeNameUse(new KnownNames(slices)));
        }
        findings.sort(
                Comparator.comparing(LintFinding::file)
                        .thenComparingInt(LintFinding::line)
                        .thenComparingInt(LintFinding::column));
        return findings;
    }

    /// The number of objects whose kind can be validated.
    int validated() {
        return validated;
    }

    private void validate(Manifest manifest) {
        if (manifest.kind().isEmpty() || manifest.apiVersion().isEmpty()) {
            var missing = manifest.kind().isEmpty() ? "kind" : "apiVersion";
            report(manifest, FieldPath.ROOT, LintFinding.Severity.ERROR, missing + " is missing");
            return;
        }
        var kind = Kinds.byApiVersionAndKind(manifest.apiVersion(), manifest.kind());
        if (kind.isPresent()) {
            validate(manifest, kind.get());
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

    private void validate(Manifest manifest, Kind<?> kind) {
        validated++;
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
        var rules = dev.berth.core.admission.validation.AdmissionKind.named(kind.name());
        if (rules.isEmpty()) {
            return;
        }
        var admitted = admission.create(rules.get(), named(object, kind.isNamespaced()), now);
        admitted.problems().forEach(p -> report(manifest, p.path(), p.toString()));
        for (var warning : admitted.warnings()) {
            report(manifest, FieldPath.of("spec"), LintFinding.Severity.WARNING, warning);
        }
        // Also for a refused object: an attribute may be empty only because its list was dropped.
        for (var path : DroppedSpecFields.from(object, admitted.object())) {
            report(
                    manifest,
                    path,
                    LintFinding.Severity.WARNING,
                    path + ": dropped by the API server with these feature gates");
        }
    }

    /// Sets the name and namespace that the server would set.
    private static JsonObject named(JsonObject object, boolean namespaced) {
        var metadata = object.objectOrEmpty("metadata");
        var prefix = metadata.string("generateName");
        if (prefix.isPresent() && metadata.text("name").isEmpty()) {
            metadata = metadata.with("name", Json.of(prefix.get() + GENERATED_SUFFIX));
        }
        if (namespaced && metadata.text("namespace").isEmpty()) {
            metadata = metadata.with("namespace", Json.of("default"));
        }
        return object.with("metadata", metadata);
    }

    private void judgeTemplate(PodTemplates.Template template) {
        validated++;
        var pod = named(template.pod(), true);
        var admitted =
                admission.create(dev.berth.core.admission.validation.AdmissionKind.POD, pod, now);
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

    private void checkNames(List<Manifest> manifests, AttributeNameUse use) {
        for (var manifest : manifests) {
            var version = manifest.apiVersion().substring(manifest.apiVersion().indexOf('/') + 1);
            Kinds.byApiVersionAndKind(manifest.apiVersion(), manifest.kind())
                    .map(kind -> SchemaCheck.check(kind, version, manifest.object()))
                    .filter(SchemaCheck.Checked::isUsable)
                    .ifPresent(checked ->
                            findings(manifest.kind(), checked.object(), use)
                                    .forEach(finding -> report(manifest, finding)));
        }
    }

    private static List<AttributeNameUse.Finding> findings(
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

    private void report(Manifest manifest, AttributeNameUse.Finding finding) {
        report(
                manifest,
                finding.path(),
                LintFinding.Severity.WARNING,
                finding.path() + ": " + finding.text());
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
