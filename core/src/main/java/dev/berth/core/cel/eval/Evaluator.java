package dev.berth.core.cel.eval;

import dev.berth.core.cel.Cause;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.Outcome;
import dev.berth.core.cel.Purpose;
import dev.berth.core.cel.Reads;
import dev.berth.core.cel.library.Failure;
import dev.berth.core.cel.library.Overload;
import dev.cel.common.CelAbstractSyntaxTree;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// A lowered expression and what can be asked of it.
public final class Evaluator {

    private final String source;
    private final Node root;
    private final int slots;
    private final Optional<String> fault;

    private Evaluator(String source, Lowered lowered) {
        this.source = source;
        this.root = lowered.root();
        this.slots = lowered.slots();
        this.fault = lowered.fault();
    }

    /// Lowers a checked expression.
    ///
    /// @param overloads the functions that the expression may call besides the standard ones
    public static Evaluator of(
            String source, CelAbstractSyntaxTree ast, Collection<Overload> overloads) {
        return of(source, ast, overloads, List.of());
    }

    /// Lowers a checked expression over variables of its own instead of a device.
    public static Evaluator of(
            String source,
            CelAbstractSyntaxTree ast,
            Collection<Overload> overloads,
            List<String> inputs) {
        var byId = new HashMap<String, Overload>();
        overloads.forEach(overload -> byId.put(overload.id(), overload));
        return new Evaluator(source, Lowering.lower(ast, byId, inputs));
    }

    public Optional<String> fault() {
        return fault;
    }

    public Outcome evaluate(DeviceView device, Purpose purpose) {
        var broken = fault.isPresent() ? fault : device.fault();
        if (broken.isPresent()) {
            return new Outcome.Failed(broken.get(), 0);
        }
        var frame = new Frame(device, slots);
        try {
            var value = root.eval(frame);
            return purpose == Purpose.SELECTOR
                    ? Results.matched(value, frame.cost())
                    : Results.derived(value, frame.cost());
        } catch (CostLimitExceeded e) {
            return new Outcome.Failed(CostLimitExceeded.MESSAGE, frame.cost());
        }
    }

    /// The value for these values of the variables, in their order. One that is absent must not be
    /// read; see [#readsInput].
    public Evaluation evaluate(List<Optional<Object>> inputs) {
        var frame = new Frame(NoDevice.INSTANCE, slots);
        for (var i = 0; i < inputs.size(); i++) {
            frame.put(i, inputs.get(i).orElse(null));
        }
        try {
            return new Evaluation(root.eval(frame), frame.cost());
        } catch (CostLimitExceeded e) {
            return new Evaluation(new Failure(CostLimitExceeded.MESSAGE), frame.cost());
        }
    }

    /// Whether the value may depend on a variable.
    public boolean readsInput(int index) {
        return reads(root, index);
    }

    private static boolean reads(Node node, int slot) {
        return (node instanceof Variable variable && variable.binding.slot() == slot)
                || node.children().stream().anyMatch(child -> reads(child, slot));
    }

    /// The bare value and cost, for tests of the evaluation itself.
    Evaluation evaluate(DeviceView device) {
        var frame = new Frame(device, slots);
        var value = root.eval(frame);
        return new Evaluation(value, frame.cost());
    }

    /// A value, which may be a [Failure], and what it did cost.
    public record Evaluation(Object value, long cost) {}

    public Reads reads() {
        var reads = new ReadSet();
        Path.readBy(root).forEach(reads::add);
        return reads.toReads();
    }

    public List<Cause> explain(DeviceView device) {
        var broken = fault.isPresent() ? fault : device.fault();
        return broken.isPresent()
                ? List.of(new Cause(source, true, broken.get(), List.of()))
                : new Explanation(source, device, slots).of(root);
    }
}
