package dev.berth.core.cel;

import dev.berth.core.cel.eval.Evaluator;
import dev.berth.core.cel.library.Libraries;
import dev.berth.core.cel.library.Overload;
import dev.cel.common.CelAbstractSyntaxTree;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// An expression that is ready to be evaluated on devices. It has no state and may be shared.
public final class CelProgram {

    private static final List<Overload> FUNCTIONS =
            Stream.of(Libraries.values()).flatMap(library -> library.overloads().stream()).toList();

    private final String source;
    private final ExpressionPurpose purpose;
    private final Evaluator evaluator;

    private CelProgram(String source, ExpressionPurpose purpose, Evaluator evaluator) {
        this.source = source;
        this.purpose = purpose;
        this.evaluator = evaluator;
    }

    public static CelProgram of(CheckedExpression expression) {
        return of(expression.source(), expression.purpose(), expression.ast());
    }

    /// Makes a program of an expression that was checked elsewhere.
    ///
    /// @param ast checked, with functions of [Libraries] only
    public static CelProgram of(
            String source, ExpressionPurpose purpose, CelAbstractSyntaxTree ast) {
        return new CelProgram(source, purpose, Evaluator.of(source, ast, FUNCTIONS));
    }

    public String source() {
        return source;
    }

    public ExpressionPurpose purpose() {
        return purpose;
    }

    /// Why the expression can never be evaluated, when a constant part of it is wrong, such as
    /// `int("x")`. Kubernetes refuses to compile it: "program instantiation failed: …".
    public Optional<String> fault() {
        return evaluator.fault();
    }

    /// Answers a selector with [EvaluationResult.Matched] and a derived attribute with
    /// [EvaluationResult.Derived].
    public EvaluationResult evaluate(DeviceView device) {
        return evaluator.evaluate(device, purpose);
    }

    /// What of a device the outcome may depend on, besides [DeviceView#fault].
    public ExpressionReads reads() {
        return evaluator.reads();
    }

    /// Which parts made a selector false or fail; empty when it is true.
    public List<FailedSubexpression> explain(DeviceView device) {
        return evaluator.explain(device);
    }
}
