package dev.berth.app.lint;

import dev.berth.app.manifest.Manifest;
import dev.berth.core.admission.Admission;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.lint.AttributeNameUse;
import dev.berth.core.lint.KnownNames;
import dev.berth.core.lint.ManifestFinding;
import dev.berth.core.lint.ReferenceChecks;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.check.ObjectCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Validates objects with the rules that an API server applies on creation.
final class Linter {

    /// Suffix for objects with `generateName`.
    private static final String GENERATED_SUFFIX = "x2b4c";

    private final Admission admission;
    private final ObjectCheck check = new ObjectCheck(new Codec());
    private final Instant now;
    private final String namespace;
    private final List<LintFinding> findings = new ArrayList<>();
    private int validated;

    /// @param namespace namespace of objects that have none
    Linter(FeatureGates gates, Instant now, String namespace) {
        this.admission = new Admission(gates);
        this.now = now;
        this.namespace = namespace;
    }

    /// Findings in the order of files and lines.
    ///
    /// @param known slices and objects to compare the manifests with, including their own
    List<LintFinding> lint(List<Manifest> manifests, ClusterKnowledge known) {
        var names = new AttributeNameUse(new KnownNames(known.slices(), known.hasAllSlices()));
        // Classes may be for devices that the cluster will have later.
        var classNames = new AttributeNameUse(new KnownNames(known.slices()));
        var references = new ReferenceChecks(known.objects());
        for (var manifest : manifests) {
            validate(manifest);
            if (!known.slices().isEmpty() || known.hasAllSlices()) {
                checked(manifest)
                        .ifPresent(object ->
                                names(manifest.kind(), object, names, classNames)
                                        .forEach(finding -> report(manifest, finding)));
            }
            checkReferences(manifest, references);
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
        var checked = check.check(kind, version, manifest.object());
        checked.problems()
                .forEach(p ->
                        report(
                                manifest,
                                p.path(),
                                p.message() + FormerFields.hint(version, p.path())));
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

    /// The object in the internal version; empty if its kind is not known or a field has a wrong
    /// type.
    private Optional<JsonObject> checked(Manifest manifest) {
        var version = manifest.apiVersion().substring(manifest.apiVersion().indexOf('/') + 1);
        return Kinds.byApiVersionAndKind(manifest.apiVersion(), manifest.kind())
                .map(kind -> check.check(kind, version, manifest.object()))
                .filter(ObjectCheck.Checked::isUsable)
                .map(ObjectCheck.Checked::object);
    }

    private static List<ManifestFinding> names(
            String kind, JsonObject object, AttributeNameUse use, AttributeNameUse inClasses) {
        var spec = object.objectOrEmpty("spec");
        return switch (kind) {
            case "DeviceClass" -> inClasses.inClass(object);
            case "ResourceClaim" -> use.inClaim(spec, FieldPath.of("spec"));
            case "ResourceClaimTemplate" ->
                    use.inClaim(spec.objectOrEmpty("spec"), FieldPath.of("spec", "spec"));
            default -> List.of();
        };
    }

    private void checkReferences(Manifest manifest, ReferenceChecks references) {
        var metadata = manifest.object().objectOrEmpty("metadata");
        var where = metadata.text("namespace").isEmpty() ? namespace : metadata.text("namespace");
        var path = FieldPath.of("spec");
        switch (manifest.kind()) {
            case "ResourceClaim", "ResourceClaimTemplate" ->
                    checked(manifest)
                            .map(object -> object.objectOrEmpty("spec"))
                            .map(spec ->
                                    manifest.kind().equals("ResourceClaim")
                                            ? references.inClaim(spec, path)
                                            : references.inClaim(
                                                    spec.objectOrEmpty("spec"), path.child("spec")))
                            .ifPresent(found -> found.forEach(one -> report(manifest, one)));
            case "Pod" ->
                    references
                            .inPod(manifest.object().objectOrEmpty("spec"), path, where)
                            .forEach(one -> report(manifest, one));
            default ->
                    PodTemplates.of(manifest)
                            .ifPresent(template ->
                                    references
                                            .inPod(
                                                    template.pod().objectOrEmpty("spec"),
                                                    path,
                                                    where)
                                            .forEach(one ->
                                                    report(
                                                            manifest,
                                                            new ManifestFinding(
                                                                    template.below(one.path()),
                                                                    one.text()))));
        }
    }

    private void report(Manifest manifest, ManifestFinding finding) {
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
