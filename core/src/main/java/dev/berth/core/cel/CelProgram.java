package dev.berth.core.cel;

import dev.berth.core.cel.eval.Evaluator;
import dev.berth.core.cel.library.Libraries;
import dev.berth.core.cel.library.Overload;
import dev.cel.common.CelAbstractSyntaxTree;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// An executable expression. Stateless and thread-safe.
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

    /// Creates a program from an expression that was type-checked elsewhere.
    ///
    /// @param ast type-checked, with functions of [Libraries] only
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

    /// Error of a constant part, such as `int("x")`, which makes every evaluation fail. Kubernetes
    /// refuses to compile such expressions: "program instantiation failed: …".
    public Optional<String> fault() {
        return evaluator.fault();
    }

    /// Evaluates the expression: a selector returns [EvaluationResult.Matched], a derived attribute
    /// [EvaluationResult.Derived].
    public EvaluationResult evaluate(DeviceView device) {
        return evaluator.evaluate(device, purpose);
    }

    /// The fields of a device that the result may depend on, besides [DeviceView#fault].
    public ExpressionReads reads() {
        return evaluator.reads();
    }

    /// The parts that make a selector false or fail; empty when it is true.
    public List<FailedSubexpression> explain(DeviceView device) {
        return evaluator.explain(device);
    }
}
