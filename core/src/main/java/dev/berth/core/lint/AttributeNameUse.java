package dev.berth.core.lint;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.ExpressionReads;
import dev.berth.model.api.QualifiedName;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// Finds the attribute and capacity names that classes and claims use, and doubts those that no
/// slice has.
public final class AttributeNameUse {

    /// A likely mistake and where it stands.
    public record Doubt(FieldPath path, String text) {}

    private final KnownNames known;
    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));

    public AttributeNameUse(KnownNames known) {
        this.known = known;
    }

    /// Doubts about the `spec` of a device class.
    public List<Doubt> inClass(JsonObject object) {
        var doubts = new ArrayList<Doubt>();
        selectors(object.objectOrEmpty("spec"), FieldPath.of("spec"), doubts);
        return doubts;
    }

    /// Doubts about the spec of a claim, which stands at `path`.
    public List<Doubt> inClaim(JsonObject spec, FieldPath path) {
        var doubts = new ArrayList<Doubt>();
        var devices = spec.objectOrEmpty("devices");
        var at = path.child("devices");
        var requests = devices.objects("requests");
        for (var i = 0; i < requests.size(); i++) {
            var requestAt = at.child("requests").index(i);
            demand(requests.get(i).objectOrEmpty("exactly"), requestAt.child("exactly"), doubts);
            var alternatives = requests.get(i).objects("firstAvailable");
            for (var j = 0; j < alternatives.size(); j++) {
                demand(alternatives.get(j), requestAt.child("firstAvailable").index(j), doubts);
            }
        }
        constraints(devices, at, derivedNames(requests), doubts);
        return doubts;
    }

    private void demand(JsonObject demand, FieldPath path, List<Doubt> doubts) {
        selectors(demand, path, doubts);
        var derived = demand.objects("derivedAttributes");
        for (var i = 0; i < derived.size(); i++) {
            var at = path.child("derivedAttributes").index(i).child("expression");
            expression(compiler.compileDerived(derived.get(i).text("expression")), at, doubts);
        }
    }

    private void selectors(JsonObject owner, FieldPath path, List<Doubt> doubts) {
        var selectors = owner.objects("selectors");
        for (var i = 0; i < selectors.size(); i++) {
            var text = selectors.get(i).objectOrEmpty("cel").text("expression");
            var at = path.child("selectors").index(i).child("cel").child("expression");
            expression(compiler.compileSelector(text), at, doubts);
        }
    }

    private void expression(Compilation compilation, FieldPath path, List<Doubt> doubts) {
        if (compilation instanceof Compilation.Compiled(var checked)) {
            reads(CelProgram.of(checked).reads(), path, doubts);
        }
    }

    private void reads(ExpressionReads reads, FieldPath path, List<Doubt> doubts) {
        for (var name : reads.attributes()) {
            known.doubtAttribute(name).ifPresent(text -> doubts.add(new Doubt(path, text)));
        }
        for (var name : reads.capacities()) {
            known.doubtCapacity(name).ifPresent(text -> doubts.add(new Doubt(path, text)));
        }
    }

    private void constraints(
            JsonObject devices, FieldPath path, List<String> derived, List<Doubt> doubts) {
        var constraints = devices.objects("constraints");
        for (var i = 0; i < constraints.size(); i++) {
            for (var field : List.of("matchAttribute", "distinctAttribute")) {
                var at = path.child("constraints").index(i).child(field);
                constraints
                        .get(i)
                        .string(field)
                        .filter(name -> name.contains("/") && !derived.contains(name))
                        .flatMap(name -> known.doubtAttribute(QualifiedName.of(name, "")))
                        .ifPresent(text -> doubts.add(new Doubt(at, text)));
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
