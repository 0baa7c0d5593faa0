package dev.berth.core.allocate.selector;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.inventory.SliceTable;
import dev.berth.model.api.claim.DeviceSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The selectors of a class and of a request, in evaluation order.
///
/// Results are cached by the columns that the selectors read, for slices and for devices within a
/// slice, so equal devices are evaluated once for a whole cluster. The cache is bounded and shared
/// by pods with the same selectors.
public final class SelectorChain {

    private static final String HINT =
            " (consider using optional chaining \".?\" followed by \"orValue()\", or guarding the"
                    + " access with \"has()\")";

    private static final int MAX_RESULTS = 20_000;

    /// One selector with its class; the class is empty for selectors of the request.
    private record Step(
            Optional<String> deviceClass, int number, CompiledExpressions.Entry entry) {}

    private final List<Step> steps;
    private final ReadColumns reads;
    // Guarded by this.
    private final Map<Object, SliceMatch> bySlice = new HashMap<>();
    private final Map<Object, Result> byDevice = new HashMap<>();

    private SelectorChain(List<Step> steps) {
        this.steps = List.copyOf(steps);
        this.reads =
                ReadColumns.of(
                        steps.stream()
                                .map(Step::entry)
                                .filter(CompiledExpressions.Entry.Valid.class::isInstance)
                                .map(entry ->
                                        ((CompiledExpressions.Entry.Valid) entry).program().reads())
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

    /// The result for one device.
    private sealed interface Result {}

    private record Matches() implements Result {}

    private record DoesNotMatch() implements Result {}

    private record Failed(SliceMatch.Fault fault) implements Result {}

    /// Whether the selectors rule out all devices of a driver, whatever their attributes.
    public boolean rulesOut(String driver) {
        return steps.stream()
                .map(Step::entry)
                .anyMatch(entry ->
                        entry instanceof CompiledExpressions.Entry.Valid(var program)
                                && DriverOnlyDevice.isRuledOut(program, driver));
    }

    /// A key that is equal for slices whose devices get equal results, row by row.
    public Object key(SliceTable slice) {
        return reads.ofSlice(slice);
    }

    /// The results for all devices of a slice.
    public synchronized SliceMatch match(SliceTable slice) {
        var key = reads.ofSlice(slice);
        var cached = bySlice.get(key);
        if (cached != null) {
            return cached;
        }
        if (bySlice.size() >= MAX_RESULTS) {
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
            switch (result(slice, row)) {
                case Matches _ -> BitSets.set(matching, row);
                case DoesNotMatch _ -> {}
                case Failed(var fault) -> faults.put(row, fault);
            }
        }
        return new SliceMatch(matching, faults);
    }

    private Result result(SliceTable slice, int row) {
        var key = reads.ofDevice(slice, row);
        var cached = byDevice.get(key);
        if (cached != null) {
            return cached;
        }
        if (byDevice.size() >= MAX_RESULTS) {
            byDevice.clear();
        }
        var result = evaluate(new DeviceRowView(slice, row));
        byDevice.put(key, result);
        return result;
    }

    private Result evaluate(DeviceRowView view) {
        for (var step : steps) {
            switch (step.entry) {
                case CompiledExpressions.Entry.Invalid(var detail) -> {
                    return faulty(step, detail, false);
                }
                case CompiledExpressions.Entry.Valid(var program) -> {
                    switch (program.evaluate(view)) {
                        case EvaluationResult.Matched(var matches, _) when matches -> {}
                        case EvaluationResult.Matched _ -> {
                            return new DoesNotMatch();
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
        return new Matches();
    }

    private static Result faulty(Step step, String message, boolean onDevice) {
        var hint = onDevice && message.contains("no such key:") ? HINT : "";
        return new Failed(
                new SliceMatch.Fault(step.deviceClass, step.number, message + hint, onDevice));
    }
}
