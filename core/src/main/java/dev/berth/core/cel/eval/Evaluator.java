package dev.berth.core.cel.eval;

import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.cel.ExpressionPurpose;
import dev.berth.core.cel.ExpressionReads;
import dev.berth.core.cel.FailedSubexpression;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.Overload;
import dev.berth.core.cel.node.CostLimitExceeded;
import dev.berth.core.cel.node.EvaluationFrame;
import dev.berth.core.cel.node.ExpressionNode;
import dev.berth.core.cel.node.Variable;
import dev.berth.core.cel.value.NoDevice;
import dev.cel.common.CelAbstractSyntaxTree;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Evaluates a lowered expression, and analyzes its reads and failures.
public final class Evaluator {

    private final String source;
    private final ExpressionNode root;
    private final int slots;
    private final Optional<String> fault;

    private Evaluator(String source, LoweredExpression lowered) {
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

    /// Lowers a checked expression over given variables instead of a device.
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

    public EvaluationResult evaluate(DeviceView device, ExpressionPurpose purpose) {
        var broken = fault.isPresent() ? fault : device.fault();
        if (broken.isPresent()) {
            return new EvaluationResult.Failed(broken.get(), 0);
        }
        var frame = new EvaluationFrame(device, slots);
        try {
            var value = root.eval(frame);
            return purpose == ExpressionPurpose.SELECTOR
                    ? ResultConversion.matched(value, frame.cost())
                    : ResultConversion.derived(value, frame.cost());
        } catch (CostLimitExceeded e) {
            return new EvaluationResult.Failed(CostLimitExceeded.MESSAGE, frame.cost());
        }
    }

    /// Evaluates with these values of the variables, in their order. An absent variable must not be
    /// read; see [#readsInput].
    public Evaluation evaluate(List<Optional<Object>> inputs) {
        var frame = new EvaluationFrame(NoDevice.INSTANCE, slots);
        for (var i = 0; i < inputs.size(); i++) {
            frame.put(i, inputs.get(i).orElse(null));
        }
        try {
            return new Evaluation(root.eval(frame), frame.cost());
        } catch (CostLimitExceeded e) {
            return new Evaluation(new CelError(CostLimitExceeded.MESSAGE), frame.cost());
        }
    }

    /// Whether the expression reads a variable.
    public boolean readsInput(int index) {
        return reads(root, index);
    }

    private static boolean reads(ExpressionNode node, int slot) {
        return (node instanceof Variable variable && variable.binding.slot() == slot)
                || node.children().stream().anyMatch(child -> reads(child, slot));
    }

    /// The unconverted value and cost, for tests of the evaluation itself.
    Evaluation evaluate(DeviceView device) {
        var frame = new EvaluationFrame(device, slots);
        var value = root.eval(frame);
        return new Evaluation(value, frame.cost());
    }

    /// A value, which may be a [CelError], and its cost.
    public record Evaluation(Object value, long cost) {}

    public ExpressionReads reads() {
        var reads = new ReadSetBuilder();
        DevicePath.readBy(root).forEach(reads::add);
        return reads.toReads();
    }

    public List<FailedSubexpression> explain(DeviceView device) {
        var broken = fault.isPresent() ? fault : device.fault();
        return broken.isPresent()
                ? List.of(new FailedSubexpression(source, true, broken.get(), List.of()))
                : new FailedPartFinder(source, device, slots).of(root);
    }
}
