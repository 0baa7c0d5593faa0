package dev.berth.core.explain;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.cel.FailedSubexpression;
import dev.berth.core.explain.Obstacle.Encounter;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What the selectors of classes and requests say of devices, part by part.
final class SelectorEvaluation {

    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private final Map<String, Compilation> compiled = new HashMap<>();
    private final Map<String, CelProgram> programs = new HashMap<>();
    private final Map<String, DeviceClass> classes = new HashMap<>();

    SelectorEvaluation(List<DeviceClass> classes) {
        classes.forEach(c -> this.classes.put(c.metadata().name(), c));
    }

    /// What the selectors of the class of a request find wrong with a device.
    List<Encounter> ofClass(RequestAlternative want, DeviceView device) {
        var name = want.demand().deviceClassName();
        var known = classes.get(name);
        return known == null
                ? List.of(new Encounter(new Obstacle.NoSuchClass(name), ""))
                : encounters(known.spec().selectors(), Optional.of(name), want, device);
    }

    /// What the request's own selectors find wrong with a device.
    List<Encounter> ofRequest(RequestAlternative want, DeviceView device) {
        return encounters(want.demand().selectors(), Optional.empty(), want, device);
    }

    /// The program of a selector; empty when it cannot be compiled.
    Optional<CelProgram> program(String expression) {
        var compilation = compiled.computeIfAbsent(expression, compiler::compileSelector);
        return compilation instanceof Compilation.Compiled(var checked)
                ? Optional.of(programs.computeIfAbsent(expression, _ -> CelProgram.of(checked)))
                : Optional.empty();
    }

    /// Selectors after the first that fails are asked too, but a fault there does not count: nobody
    /// would meet it.
    private List<Encounter> encounters(
            List<DeviceSelector> selectors,
            Optional<String> deviceClass,
            RequestAlternative want,
            DeviceView device) {
        var found = new ArrayList<Encounter>();
        for (var i = 0; i < selectors.size(); i++) {
            if (!(selectors.get(i) instanceof DeviceSelector.Cel(var text))) {
                continue;
            }
            var at = new SelectorLocation(deviceClass, want.claim(), want.name(), i);
            for (var encounter : encounters(at, text, device)) {
                if (found.isEmpty() || encounter.obstacle() instanceof Obstacle.Condition) {
                    found.add(encounter);
                }
            }
        }
        return found;
    }

    private List<Encounter> encounters(SelectorLocation at, String text, DeviceView device) {
        var program = program(text);
        if (program.isEmpty()) {
            var why =
                    compiled.get(text) instanceof Compilation.Rejected rejected
                            ? rejected.detail()
                            : "";
            return List.of(new Encounter(new Obstacle.Fault(at, text, why), ""));
        }
        if (program.get().fault().isPresent()) {
            return List.of(
                    new Encounter(new Obstacle.Fault(at, text, program.get().fault().get()), ""));
        }
        return switch (program.get().evaluate(device)) {
            case EvaluationResult.Matched(var matches, _) when matches -> List.of();
            case EvaluationResult.Matched _ -> conditions(at, program.get(), device);
            case EvaluationResult.Failed(var message, _) ->
                    List.of(faultOf(at, program.get(), message, device));
            case EvaluationResult.Derived _ -> throw new IllegalStateException(text);
        };
    }

    private static List<Encounter> conditions(
            SelectorLocation at, CelProgram program, DeviceView device) {
        var found = new ArrayList<Encounter>();
        for (var cause : program.explain(device)) {
            found.add(new Encounter(new Obstacle.Condition(at, cause.part()), seen(cause)));
        }
        return found.isEmpty()
                ? List.of(new Encounter(new Obstacle.Condition(at, program.source()), ""))
                : found;
    }

    private static Encounter faultOf(
            SelectorLocation at, CelProgram program, String message, DeviceView device) {
        if (device.fault().isPresent()) {
            return new Encounter(new Obstacle.Fault(at, program.source(), message), "");
        }
        return program.explain(device).stream()
                .filter(cause -> cause.failed())
                .findFirst()
                .map(cause ->
                        new Encounter(
                                new Obstacle.Fault(at, cause.part(), cause.message()), seen(cause)))
                .orElseGet(
                        () -> new Encounter(new Obstacle.Fault(at, program.source(), message), ""));
    }

    private static String seen(FailedSubexpression cause) {
        return cause.read().stream()
                .map(read -> read.value().orElse("nothing"))
                .collect(Collectors.joining(", "));
    }
}
