package dev.berth.core.allocate;

import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.inventory.SliceTable;
import dev.berth.model.api.DeviceSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The selectors of a class and of a request, in the order in which they are asked.
///
/// Slices that agree in every column that the selectors read have one answer, and so have devices
/// within a slice: a cluster of one model is asked once. Answers are bounded in number and kept for
/// the next pod with the same selectors.
final class SelectorChain {

    private static final String HINT =
            " (consider using optional chaining \".?\" followed by \"orValue()\", or guarding the"
                    + " access with \"has()\")";

    private static final int MAX_ANSWERS = 20_000;

    /// One selector and whose it is: a class's, or else the request's.
    private record Step(
            Optional<String> deviceClass, int number, CompiledExpressions.Meaning entry) {}

    private final List<Step> steps;
    private final ReadColumns reads;
    // Guarded by this.
    private final Map<Object, SliceMatch> bySlice = new HashMap<>();
    private final Map<Object, Answer> byDevice = new HashMap<>();

    private SelectorChain(List<Step> steps) {
        this.steps = List.copyOf(steps);
        this.reads =
                ReadColumns.of(
                        steps.stream()
                                .map(Step::entry)
                                .filter(CompiledExpressions.Meaning.Ready.class::isInstance)
                                .map(entry ->
                                        ((CompiledExpressions.Meaning.Ready) entry)
                                                .program()
                                                .reads())
                                .toList());
    }

    static SelectorChain of(
            String className,
            List<DeviceSelector> ofClass,
            List<DeviceSelector> ofRequest,
            CompiledExpressions expressions) {
        var steps = new ArrayList<Step>();
        add(steps, Optional.of(className), ofClass, expressions);
        add(steps, Optional.empty(), ofRequest, expressions);
        return new SelectorChain(steps);
    }

    private static void add(
            List<Step> steps,
            Optional<String> deviceClass,
            List<DeviceSelector> selectors,
            CompiledExpressions expressions) {
        for (var i = 0; i < selectors.size(); i++) {
            if (selectors.get(i) instanceof DeviceSelector.Cel(var text)) {
                steps.add(new Step(deviceClass, i, expressions.selector(text)));
            }
        }
    }

    /// What the selectors say of one device.
    private sealed interface Answer {}

    private record Fits() implements Answer {}

    private record FitsNot() implements Answer {}

    private record Faulty(SliceMatch.Fault fault) implements Answer {}

    /// Whether all devices of a driver are ruled out, whatever else they are.
    boolean rulesOut(String driver) {
        return steps.stream()
                .map(Step::entry)
                .anyMatch(entry ->
                        entry instanceof CompiledExpressions.Meaning.Ready(var program)
                                && DriverOnlyDevice.isRuledOut(program, driver));
    }

    /// Equal for slices whose devices get equal answers, row by row.
    Object key(SliceTable slice) {
        return reads.ofSlice(slice);
    }

    /// The answers for all devices of a slice.
    synchronized SliceMatch match(SliceTable slice) {
        var key = reads.ofSlice(slice);
        var known = bySlice.get(key);
        if (known != null) {
            return known;
        }
        if (bySlice.size() >= MAX_ANSWERS) {
            bySlice.clear();
        }
        var match = matched(slice);
        bySlice.put(key, match);
        return match;
    }

    private SliceMatch matched(SliceTable slice) {
        var matching = new long[Math.max(1, BitSets.words(slice.size()))];
        var faults = new HashMap<Integer, SliceMatch.Fault>();
        for (var row = 0; row < slice.size(); row++) {
            switch (answer(slice, row)) {
                case Fits _ -> BitSets.set(matching, row);
                case FitsNot _ -> {}
                case Faulty(var fault) -> faults.put(row, fault);
            }
        }
        return new SliceMatch(matching, faults);
    }

    private Answer answer(SliceTable slice, int row) {
        var key = reads.ofDevice(slice, row);
        var known = byDevice.get(key);
        if (known != null) {
            return known;
        }
        if (byDevice.size() >= MAX_ANSWERS) {
            byDevice.clear();
        }
        var answer = asked(new DeviceRowView(slice, row));
        byDevice.put(key, answer);
        return answer;
    }

    private Answer asked(DeviceRowView view) {
        for (var step : steps) {
            switch (step.entry) {
                case CompiledExpressions.Meaning.Broken(var detail) -> {
                    return faulty(step, detail, false);
                }
                case CompiledExpressions.Meaning.Ready(var program) -> {
                    switch (program.evaluate(view)) {
                        case EvaluationResult.Matched(var matches, _) when matches -> {}
                        case EvaluationResult.Matched _ -> {
                            return new FitsNot();
                        }
                        case EvaluationResult.Failed(var message, _) -> {
                            return faulty(step, message, true);
                        }
                        case EvaluationResult.Derived _ ->
                                throw new IllegalStateException(program.source());
                    }
                }
            }
        }
        return new Fits();
    }

    private static Answer faulty(Step step, String message, boolean onDevice) {
        var hint = onDevice && message.contains("no such key:") ? HINT : "";
        return new Faulty(
                new SliceMatch.Fault(step.deviceClass, step.number, message + hint, onDevice));
    }
}
