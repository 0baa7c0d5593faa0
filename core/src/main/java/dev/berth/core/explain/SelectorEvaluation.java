package dev.berth.core.explain;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.cel.ExpressionReads;
import dev.berth.core.cel.FailedSubexpression;
import dev.berth.core.explain.Obstacle.Occurrence;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.meta.QualifiedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Evaluates the selectors of classes and requests on devices, and reports which part of a selector
/// fails.
public final class SelectorEvaluation {

    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private final Map<String, Compilation> compiled = new HashMap<>();
    private final Map<String, CelProgram> programs = new HashMap<>();
    private final Map<String, DeviceClass> classes = new HashMap<>();

    public SelectorEvaluation(List<DeviceClass> classes) {
        classes.forEach(c -> this.classes.put(c.metadata().name(), c));
    }

    /// Obstacles from the selectors of the request's class.
    public List<Occurrence> ofClass(RequestAlternative alternative, DeviceView device) {
        var name = alternative.demand().deviceClassName();
        var known = classes.get(name);
        return known == null
                ? List.of(new Occurrence(new Obstacle.NoSuchClass(name), ""))
                : occurrences(known.spec().selectors(), Optional.of(name), alternative, device);
    }

    /// Whether a class selects a device.
    public boolean isOfClass(DeviceClass deviceClass, DeviceView device) {
        return deviceClass.spec().selectors().stream()
                .allMatch(selector ->
                        selector instanceof DeviceSelector.Cel(var text)
                                && program(text)
                                        .filter(program ->
                                                program.fault().isEmpty()
                                                        && program.evaluate(device)
                                                                instanceof
                                                                EvaluationResult.Matched(
                                                                        var matches,
                                                                        _)
                                                        && matches)
                                        .isPresent());
    }

    /// Obstacles from the request's own selectors.
    public List<Occurrence> ofRequest(RequestAlternative alternative, DeviceView device) {
        return occurrences(alternative.demand().selectors(), Optional.empty(), alternative, device);
    }

    /// The program of a selector; empty when it cannot be compiled.
    public Optional<CelProgram> program(String expression) {
        var compilation = compiled.computeIfAbsent(expression, compiler::compileSelector);
        return compilation instanceof Compilation.Compiled(var checked)
                ? Optional.of(programs.computeIfAbsent(expression, _ -> CelProgram.of(checked)))
                : Optional.empty();
    }

    /// The device fields that decide the result of a request's selectors.
    ///
    /// @param capacities whether capacities are read
    record DecisiveFields(List<QualifiedName> attributes, boolean capacities) {}

    /// The fields that the selectors of a request and of its class read; empty when they may read
    /// any field.
    Optional<DecisiveFields> decisiveFields(RequestAlternative alternative) {
        var all = new ArrayList<DeviceSelector>(alternative.demand().selectors());
        var known = classes.get(alternative.demand().deviceClassName());
        if (known != null) {
            all.addAll(known.spec().selectors());
        }
        var attributes = new TreeMap<String, QualifiedName>();
        var capacities = false;
        for (var selector : all) {
            var reads =
                    selector instanceof DeviceSelector.Cel(var text)
                            ? program(text).map(CelProgram::reads)
                            : Optional.<ExpressionReads>empty();
            if (reads.isEmpty()
                    || reads.get().allAttributes()
                    || !reads.get().attributeDomains().isEmpty()) {
                return Optional.empty();
            }
            reads.get().attributes().forEach(name -> attributes.put(name.toString(), name));
            capacities |=
                    reads.get().allCapacities()
                            || !reads.get().capacityDomains().isEmpty()
                            || !reads.get().capacities().isEmpty();
        }
        return Optional.of(new DecisiveFields(List.copyOf(attributes.values()), capacities));
    }

    /// Selectors after the first that fails are evaluated too, but their errors do not count, since
    /// the allocator stops at the first failure.
    private List<Occurrence> occurrences(
            List<DeviceSelector> selectors,
            Optional<String> deviceClass,
            RequestAlternative alternative,
            DeviceView device) {
        var found = new ArrayList<Occurrence>();
        for (var i = 0; i < selectors.size(); i++) {
            if (!(selectors.get(i) instanceof DeviceSelector.Cel(var text))) {
                continue;
            }
            var at = new SelectorLocation(deviceClass, alternative.claim(), alternative.name(), i);
            for (var occurrence : occurrences(at, text, device)) {
                if (found.isEmpty() || occurrence.obstacle() instanceof Obstacle.Condition) {
                    found.add(occurrence);
                }
            }
        }
        return found;
    }

    private List<Occurrence> occurrences(SelectorLocation at, String text, DeviceView device) {
        var program = program(text);
        if (program.isEmpty()) {
            var why =
                    compiled.get(text) instanceof Compilation.Rejected rejected
                            ? rejected.detail()
                            : "";
            return List.of(new Occurrence(new Obstacle.Fault(at, text, why), ""));
        }
        if (program.get().fault().isPresent()) {
            return List.of(
                    new Occurrence(new Obstacle.Fault(at, text, program.get().fault().get()), ""));
        }
        return switch (program.get().evaluate(device)) {
            case EvaluationResult.Matched(var matches, _) when matches -> List.of();
            case EvaluationResult.Matched _ -> conditions(at, program.get(), device);
            case EvaluationResult.Failed(var message, _) ->
                    List.of(faultOf(at, program.get(), message, device));
            case EvaluationResult.Derived _ -> throw new IllegalStateException(text);
        };
    }

    private static List<Occurrence> conditions(
            SelectorLocation at, CelProgram program, DeviceView device) {
        var found = new ArrayList<Occurrence>();
        for (var cause : program.explain(device)) {
            found.add(new Occurrence(new Obstacle.Condition(at, cause.part()), seen(cause)));
        }
        return found.isEmpty()
                ? List.of(new Occurrence(new Obstacle.Condition(at, program.source()), ""))
                : found;
    }

    private static Occurrence faultOf(
            SelectorLocation at, CelProgram program, String message, DeviceView device) {
        if (device.fault().isPresent()) {
            return new Occurrence(new Obstacle.Fault(at, program.source(), message), "");
        }
        return program.explain(device).stream()
                .filter(cause -> cause.failed())
                .findFirst()
                .map(cause ->
                        new Occurrence(
                                new Obstacle.Fault(at, cause.part(), cause.message()), seen(cause)))
                .orElseGet(() ->
                        new Occurrence(new Obstacle.Fault(at, program.source(), message), ""));
    }

    private static String seen(FailedSubexpression cause) {
        return cause.read().stream()
                .map(read -> read.value().orElse("nothing"))
                .collect(Collectors.joining(", "));
    }
}
