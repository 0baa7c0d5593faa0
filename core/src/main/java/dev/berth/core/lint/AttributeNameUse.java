package dev.berth.core.lint;

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

/// Finds the attribute and capacity names in selectors and constraints of classes and claims, and
/// reports those that no slice has.
public final class AttributeNameUse {

    /// A likely mistake and its location.
    public record Finding(FieldPath path, String text) {}

    private final KnownNames known;
    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));

    public AttributeNameUse(KnownNames known) {
        this.known = known;
    }

    /// Likely mistakes in the `spec` of a device class.
    public List<Finding> inClass(JsonObject object) {
        var findings = new ArrayList<Finding>();
        selectors(object.objectOrEmpty("spec"), FieldPath.of("spec"), findings);
        return findings;
    }

    /// Likely mistakes in the spec of a claim at `path`.
    public List<Finding> inClaim(JsonObject spec, FieldPath path) {
        var findings = new ArrayList<Finding>();
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

    private void demand(JsonObject demand, FieldPath path, List<Finding> findings) {
        selectors(demand, path, findings);
        var derived = demand.objects("derivedAttributes");
        for (var i = 0; i < derived.size(); i++) {
            var at = path.child("derivedAttributes").index(i).child("expression");
            expression(compiler.compileDerived(derived.get(i).text("expression")), at, findings);
        }
    }

    private void selectors(JsonObject owner, FieldPath path, List<Finding> findings) {
        var selectors = owner.objects("selectors");
        for (var i = 0; i < selectors.size(); i++) {
            var text = selectors.get(i).objectOrEmpty("cel").text("expression");
            var at = path.child("selectors").index(i).child("cel").child("expression");
            expression(compiler.compileSelector(text), at, findings);
        }
    }

    private void expression(Compilation compilation, FieldPath path, List<Finding> findings) {
        if (compilation instanceof Compilation.Compiled(var checked)) {
            reads(CelProgram.of(checked).reads(), path, findings);
        }
    }

    private void reads(ExpressionReads reads, FieldPath path, List<Finding> findings) {
        for (var name : reads.attributes()) {
            known.checkAttribute(name).ifPresent(text -> findings.add(new Finding(path, text)));
        }
        for (var name : reads.capacities()) {
            known.checkCapacity(name).ifPresent(text -> findings.add(new Finding(path, text)));
        }
    }

    private void constraints(
            JsonObject devices, FieldPath path, List<String> derived, List<Finding> findings) {
        var constraints = devices.objects("constraints");
        for (var i = 0; i < constraints.size(); i++) {
            for (var field : List.of("matchAttribute", "distinctAttribute")) {
                var at = path.child("constraints").index(i).child(field);
                constraints
                        .get(i)
                        .string(field)
                        .filter(name -> name.contains("/") && !derived.contains(name))
                        .flatMap(name -> known.checkAttribute(QualifiedName.of(name, "")))
                        .ifPresent(text -> findings.add(new Finding(at, text)));
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
