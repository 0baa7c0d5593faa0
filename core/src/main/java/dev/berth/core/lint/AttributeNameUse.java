package dev.berth.core.lint;

import dev.berth.core.cel.AttributeComparisonFinder;
import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.ExpressionReads;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// Finds the attributes and capacities in selectors, constraints and capacity requests of classes
/// and claims, and reports names that no slice has and comparisons of different types.
public final class AttributeNameUse {

    private final KnownNames known;
    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));

    public AttributeNameUse(KnownNames known) {
        this.known = known;
    }

    /// Likely mistakes in the `spec` of a device class.
    public List<ManifestFinding> inClass(JsonObject object) {
        var findings = new ArrayList<ManifestFinding>();
        selectors(object.objectOrEmpty("spec"), FieldPath.of("spec"), findings);
        return findings;
    }

    /// Likely mistakes in the spec of a claim at `path`.
    public List<ManifestFinding> inClaim(JsonObject spec, FieldPath path) {
        var findings = new ArrayList<ManifestFinding>();
        var devices = spec.objectOrEmpty("devices");
        var at = path.child("devices");
        var requests = devices.objects("requests");
        for (var i = 0; i < requests.size(); i++) {
            var requestAt = at.child("requests").index(i);
            demand(requests.get(i).objectOrEmpty("exactly"), requestAt.child("exactly"), findings);
            var alternatives = requests.get(i).objects("firstAvailable");
            for (var j = 0; j < alternatives.size(); j++) {
                demand(alternatives.get(j), requestAt.child("firstAvailable").index(j), findings);
            }
        }
        constraints(devices, at, derivedNames(requests), findings);
        return findings;
    }

    private void demand(JsonObject demand, FieldPath path, List<ManifestFinding> findings) {
        selectors(demand, path, findings);
        for (var name : demand.objectOrEmpty("capacity").objectOrEmpty("requests").names()) {
            var at = path.child("capacity").child("requests").key(name);
            known.checkRequestedCapacity(name)
                    .ifPresent(text -> findings.add(new ManifestFinding(at, text)));
        }
        var derived = demand.objects("derivedAttributes");
        for (var i = 0; i < derived.size(); i++) {
            var at = path.child("derivedAttributes").index(i).child("expression");
            expression(compiler.compileDerived(derived.get(i).text("expression")), at, findings);
        }
    }

    private void selectors(JsonObject owner, FieldPath path, List<ManifestFinding> findings) {
        var selectors = owner.objects("selectors");
        for (var i = 0; i < selectors.size(); i++) {
            var text = selectors.get(i).objectOrEmpty("cel").text("expression");
            var at = path.child("selectors").index(i).child("cel").child("expression");
            expression(compiler.compileSelector(text), at, findings);
        }
    }

    private void expression(
            Compilation compilation, FieldPath path, List<ManifestFinding> findings) {
        if (compilation instanceof Compilation.Compiled(var checked)) {
            reads(CelProgram.of(checked).reads(), path, findings);
            for (var comparison : AttributeComparisonFinder.in(checked)) {
                known.checkType(comparison)
                        .ifPresent(text -> findings.add(new ManifestFinding(path, text)));
            }
        }
    }

    private void reads(ExpressionReads reads, FieldPath path, List<ManifestFinding> findings) {
        for (var name : reads.attributes()) {
            known.checkAttribute(name)
                    .ifPresent(text -> findings.add(new ManifestFinding(path, text)));
        }
        for (var name : reads.capacities()) {
            known.checkCapacity(name)
                    .ifPresent(text -> findings.add(new ManifestFinding(path, text)));
        }
    }

    private void constraints(
            JsonObject devices,
            FieldPath path,
            List<String> derived,
            List<ManifestFinding> findings) {
        var constraints = devices.objects("constraints");
        for (var i = 0; i < constraints.size(); i++) {
            for (var field : List.of("matchAttribute", "distinctAttribute")) {
                var at = path.child("constraints").index(i).child(field);
                constraints
                        .get(i)
                        .string(field)
                        .filter(name -> name.contains("/") && !derived.contains(name))
                        .flatMap(name -> known.checkAttribute(QualifiedName.of(name, "")))
                        .ifPresent(text -> findings.add(new ManifestFinding(at, text)));
            }
        }
    }

    private static List<String> derivedNames(List<JsonObject> requests) {
        var names = new ArrayList<String>();
        for (var request : requests) {
            var demands = new ArrayList<>(request.objects("firstAvailable"));
            demands.add(request.objectOrEmpty("exactly"));
            for (var demand : demands) {
                demand.objects("derivedAttributes").forEach(d -> names.add(d.text("name")));
            }
        }
        return names;
    }
}
