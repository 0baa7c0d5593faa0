package dev.berth.core.cel;

import dev.berth.core.cel.AttributeComparison.AttributeType;
import dev.berth.core.cel.library.CelTypes;
import dev.berth.model.api.meta.QualifiedName;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelExprVisitor;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds comparisons of attributes in an expression. The type checker accepts all of them, since
/// the type of an attribute is known only at run time.
public final class AttributeComparisonFinder extends CelExprVisitor {

    private static final Map<String, String> OPERATORS =
            Map.of(
                    "_==_", "==", "_!=_", "!=", "_<_", "<", "_<=_", "<=", "_>_", ">", "_>=_", ">=",
                    "@in", "in");

    private static final Set<String> STRING_METHODS =
            Set.of(
                    "charAt",
                    "contains",
                    "endsWith",
                    "find",
                    "findAll",
                    "indexOf",
                    "lastIndexOf",
                    "lowerAscii",
                    "matches",
                    "replace",
                    "split",
                    "startsWith",
                    "substring",
                    "trim",
                    "upperAscii");

    private static final Set<String> VERSION_METHODS =
            Set.of("compareTo", "isGreaterThan", "isLessThan", "major", "minor", "patch");

    private final CelAbstractSyntaxTree ast;
    private final List<AttributeComparison> found = new ArrayList<>();

    private AttributeComparisonFinder(CelAbstractSyntaxTree ast) {
        this.ast = ast;
    }

    /// The comparisons in the order of the expression.
    public static List<AttributeComparison> in(CheckedExpression expression) {
        var finder = new AttributeComparisonFinder(expression.ast());
        finder.visit(expression.ast().getExpr());
        return List.copyOf(finder.found);
    }

    @Override
    protected void visit(CelExpr expr, CelCall call) {
        var operator = Optional.ofNullable(OPERATORS.get(call.function()));
        if (operator.isPresent() && call.args().size() == 2) {
            var left = call.args().getFirst();
            var right = call.args().getLast();
            compare(left, right, operator.get());
            if (!operator.get().equals("in")) {
                compare(right, left, operator.get());
            }
        }
        call.target().ifPresent(target -> method(target, call));
        super.visit(expr, call);
    }

    private void compare(CelExpr attribute, CelExpr operand, String operator) {
        var name = attribute(attribute);
        var type = operandType(operand, operator.equals("in"));
        if (name.isPresent() && type.isPresent()) {
            found.add(new AttributeComparison(name.get(), operator, type.get(), literal(operand)));
        }
    }

    private void method(CelExpr target, CelCall call) {
        var name = attribute(target);
        var function = call.function();
        var type =
                STRING_METHODS.contains(function)
                        ? Optional.of(AttributeType.STRING)
                        : VERSION_METHODS.contains(function)
                                ? Optional.of(AttributeType.VERSION)
                                : Optional.<AttributeType>empty();
        if (name.isPresent() && type.isPresent()) {
            found.add(new AttributeComparison(name.get(), function + "()", type.get(), ""));
        }
    }

    /// The type of an operand, or of the elements of a list; empty if it is not known.
    private Optional<AttributeType> operandType(CelExpr operand, boolean isList) {
        var type = ast.getType(operand.id()).orElse(SimpleType.DYN);
        if (!isList) {
            return typeOf(type);
        }
        return type instanceof ListType list && list.hasElemType()
                ? typeOf(list.elemType())
                : Optional.empty();
    }

    private static Optional<AttributeType> typeOf(CelType type) {
        if (type.equals(CelTypes.SEMVER)) {
            return Optional.of(AttributeType.VERSION);
        }
        if (type.equals(CelTypes.QUANTITY)) {
            return Optional.of(AttributeType.QUANTITY);
        }
        return switch (type.kind()) {
            case STRING -> Optional.of(AttributeType.STRING);
            // Numbers of all types can be compared with each other.
            case INT, UINT, DOUBLE -> Optional.of(AttributeType.NUMBER);
            case BOOL -> Optional.of(AttributeType.BOOL);
            default -> Optional.empty();
        };
    }

    /// The attribute that an expression reads: `device.attributes["domain"].id`.
    private static Optional<QualifiedName> attribute(CelExpr expr) {
        return key(expr)
                .flatMap(id ->
                        base(expr)
                                .flatMap(map ->
                                        isAttributes(base(map))
                                                ? key(map).map(domain ->
                                                        new QualifiedName(domain, id))
                                                : Optional.empty()));
    }

    private static boolean isAttributes(Optional<CelExpr> expr) {
        return expr.filter(one -> one.getKind() == Kind.SELECT)
                .map(CelExpr::select)
                .filter(one -> one.field().equals(DeviceType.ATTRIBUTES) && !one.testOnly())
                .map(one -> one.operand())
                .filter(one -> one.getKind() == Kind.IDENT)
                .filter(one -> one.ident().name().equals(DeviceType.VARIABLE))
                .isPresent();
    }

    /// The constant key of a selection or of an index.
    private static Optional<String> key(CelExpr expr) {
        return switch (expr.getKind()) {
            case SELECT ->
                    expr.select().testOnly()
                            ? Optional.empty()
                            : Optional.of(expr.select().field());
            case CALL -> isIndex(expr) ? text(expr.call().args().getLast()) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<CelExpr> base(CelExpr expr) {
        return switch (expr.getKind()) {
            case SELECT -> Optional.of(expr.select().operand());
            case CALL ->
                    isIndex(expr) ? Optional.of(expr.call().args().getFirst()) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static boolean isIndex(CelExpr expr) {
        return expr.call().function().equals("_[_]") && expr.call().args().size() == 2;
    }

    private static Optional<String> text(CelExpr expr) {
        return expr.getKind() == Kind.CONSTANT
                        && expr.constant().getKind() == CelConstant.Kind.STRING_VALUE
                ? Optional.of(expr.constant().stringValue())
                : Optional.empty();
    }

    private static String literal(CelExpr expr) {
        if (expr.getKind() != Kind.CONSTANT) {
            return "";
        }
        return switch (expr.constant().getKind()) {
            case STRING_VALUE -> '"' + expr.constant().stringValue() + '"';
            case INT64_VALUE -> Long.toString(expr.constant().int64Value());
            case DOUBLE_VALUE -> Double.toString(expr.constant().doubleValue());
            case BOOLEAN_VALUE -> Boolean.toString(expr.constant().booleanValue());
            default -> "";
        };
    }
}
