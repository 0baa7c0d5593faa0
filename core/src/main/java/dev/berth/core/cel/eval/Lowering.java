package dev.berth.core.cel.eval;

import com.google.re2j.PatternSyntaxException;
import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.NullValue;
import dev.berth.core.cel.library.Overload;
import dev.berth.core.cel.library.UInt;
import dev.berth.core.cel.node.Accumulator;
import dev.berth.core.cel.node.Comprehension;
import dev.berth.core.cel.node.Conditional;
import dev.berth.core.cel.node.Constant;
import dev.berth.core.cel.node.ConstantCall;
import dev.berth.core.cel.node.DeviceRead;
import dev.berth.core.cel.node.DeviceVariable;
import dev.berth.core.cel.node.DriverRead;
import dev.berth.core.cel.node.EvaluationFrame;
import dev.berth.core.cel.node.ExpressionNode;
import dev.berth.core.cel.node.FieldSelection;
import dev.berth.core.cel.node.LibraryCall;
import dev.berth.core.cel.node.ListLiteral;
import dev.berth.core.cel.node.LocalBinding;
import dev.berth.core.cel.node.LogicalChain;
import dev.berth.core.cel.node.MapLiteral;
import dev.berth.core.cel.node.NewCollection;
import dev.berth.core.cel.node.OverloadSignature;
import dev.berth.core.cel.node.Qualifier;
import dev.berth.core.cel.node.StandardCallCost;
import dev.berth.core.cel.node.UnaryCall;
import dev.berth.core.cel.node.Variable;
import dev.berth.core.cel.value.Conversions;
import dev.berth.core.cel.value.DeviceFields;
import dev.berth.core.cel.value.NoDevice;
import dev.berth.core.cel.value.TypeValue;
import dev.berth.model.api.meta.QualifiedName;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.TypeType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lowers a checked expression to a tree of nodes.
///
/// Folds the same constants as upstream's planner, because folded parts are free there: literals of
/// constants, and conversions of constants.
final class Lowering {

    /// Binding of a name inside a comprehension.
    private record Scope(@Nullable Scope outer, String name, ExpressionNode meaning) {}

    private final CelAbstractSyntaxTree ast;
    private final Map<String, Overload> overloads;
    private int slots;
    private @Nullable String fault;

    private Lowering(CelAbstractSyntaxTree ast, Map<String, Overload> overloads) {
        this.ast = ast;
        this.overloads = overloads;
    }

    /// @param inputs variables set before the evaluation, in the first slots
    static LoweredExpression lower(
            CelAbstractSyntaxTree ast, Map<String, Overload> overloads, List<String> inputs) {
        var lowering = new Lowering(ast, overloads);
        Scope scope = null;
        for (var name : inputs) {
            var binding = new LocalBinding(name, lowering.slots++, null, true);
            scope = new Scope(scope, name, new Variable(binding));
        }
        var root = lowering.lower(ast.getExpr(), scope);
        return new LoweredExpression(root, lowering.slots, Optional.ofNullable(lowering.fault));
    }

    private ExpressionNode lower(CelExpr expr, @Nullable Scope scope) {
        return switch (expr.getKind()) {
            case CONSTANT -> new Constant(constant(expr.constant()));
            case IDENT -> name(expr, expr.ident().name(), scope);
            case SELECT -> select(expr, scope);
            case CALL -> call(expr, scope);
            case LIST -> list(expr.list(), scope);
            case MAP -> map(expr.map(), scope);
            case COMPREHENSION -> comprehension(expr.comprehension(), scope);
            case STRUCT, NOT_SET ->
                    throw new IllegalStateException(
                            "no expression for devices has a " + expr.getKind());
        };
    }

    private static Object constant(CelConstant constant) {
        return switch (constant.getKind()) {
            case NULL_VALUE -> NullValue.NULL;
            case BOOLEAN_VALUE -> constant.booleanValue();
            case INT64_VALUE -> constant.int64Value();
            case UINT64_VALUE -> new UInt(constant.uint64Value().longValue());
            case DOUBLE_VALUE -> constant.doubleValue();
            case STRING_VALUE -> constant.stringValue();
            case BYTES_VALUE -> CelBytes.of(constant.bytesValue().toByteArray());
            default -> throw new IllegalStateException("unexpected literal " + constant);
        };
    }

    private ExpressionNode name(CelExpr expr, String name, @Nullable Scope scope) {
        for (var s = scope; s != null; s = s.outer()) {
            if (s.name().equals(name)) {
                return s.meaning();
            }
        }
        if (name.equals("device")) {
            return new DeviceVariable();
        }
        var value = ast.getReference(expr.id()).flatMap(CelReference::value);
        if (value.isPresent()) {
            return new Constant(constant(value.get()));
        }
        if (ast.getTypeOrThrow(expr.id()) instanceof TypeType type) {
            return new Constant(new TypeValue(type.type().name()));
        }
        throw new IllegalStateException("unknown variable " + name);
    }

    private ExpressionNode select(CelExpr expr, @Nullable Scope scope) {
        var reference = ast.getReference(expr.id());
        if (reference.isPresent() && !reference.get().name().isEmpty()) {
            return name(expr, reference.get().name(), scope);
        }
        var select = expr.select();
        var step = new Qualifier(new Constant(select.field()), false);
        return selection(lower(select.operand(), scope), step, select.testOnly());
    }

    private static ExpressionNode selection(
            ExpressionNode operand, Qualifier step, boolean presenceOnly) {
        var base = operand;
        var steps = new ArrayList<Qualifier>();
        if (operand instanceof FieldSelection selection) {
            base = selection.base;
            steps.addAll(selection.steps());
        }
        steps.add(step);
        var selection = new FieldSelection(base, steps, presenceOnly);
        return presenceOnly ? selection : shortcut(selection);
    }

    /// Reads of device fields without building the intermediate maps.
    private static ExpressionNode shortcut(FieldSelection selection) {
        if (!(selection.base instanceof DeviceVariable)) {
            return selection;
        }
        var path = new ArrayList<String>();
        for (var step : selection.steps()) {
            if (step.optional() || !(step.constantKey().orElse(null) instanceof String key)) {
                return selection;
            }
            path.add(key);
        }
        if (path.equals(List.of(DeviceFields.DRIVER))) {
            return new DriverRead();
        }
        return path.size() == 3
                ? new DeviceRead(
                        path.getFirst().equals(DeviceFields.CAPACITY),
                        new QualifiedName(path.get(1), path.get(2)))
                : selection;
    }

    private ExpressionNode call(CelExpr expr, @Nullable Scope scope) {
        var call = expr.call();
        var function = call.function();
        if (function.equals("_&&_") || function.equals("_||_")) {
            var terms = new ArrayList<ExpressionNode>();
            collectTerms(expr, function, scope, terms);
            return new LogicalChain(function.equals("_&&_"), terms);
        }
        var arguments = new ArrayList<ExpressionNode>();
        call.target().ifPresent(target -> arguments.add(lower(target, scope)));
        call.args().forEach(argument -> arguments.add(lower(argument, scope)));
        return switch (function) {
            case "_?_:_" ->
                    new Conditional(arguments.getFirst(), arguments.get(1), arguments.get(2));
            case "_[_]" -> index(arguments, false);
            case "_[?_]", "_?._" -> index(arguments, true);
            default -> functionCall(expr, function, arguments);
        };
    }

    private void collectTerms(
            CelExpr expr, String function, @Nullable Scope scope, List<ExpressionNode> terms) {
        for (var argument : expr.call().args()) {
            if (argument.getKind() == CelExpr.ExprKind.Kind.CALL
                    && argument.call().function().equals(function)) {
                collectTerms(argument, function, scope, terms);
            } else {
                terms.add(lower(argument, scope));
            }
        }
    }

    private static ExpressionNode index(List<ExpressionNode> arguments, boolean optional) {
        return selection(arguments.getFirst(), new Qualifier(arguments.get(1), optional), false);
    }

    private ExpressionNode functionCall(
            CelExpr expr, String function, List<ExpressionNode> arguments) {
        var ids =
                ast.getReference(expr.id())
                        .map(reference -> List.copyOf(reference.overloadIds()))
                        .orElse(List.of());
        var candidates = ids.stream().filter(overloads::containsKey).map(overloads::get).toList();
        var onlyLibrary = !candidates.isEmpty() && candidates.size() == ids.size();
        var node =
                onlyLibrary
                        ? libraryCall(function, candidates, arguments)
                        : standardCall(function, ids, candidates, arguments);
        return Conversions.isConversion(function) && arguments.size() == 1
                ? foldedConversion(node, arguments.getFirst())
                : node;
    }

    private ExpressionNode standardCall(
            String function,
            List<String> ids,
            List<Overload> candidates,
            List<ExpressionNode> arguments) {
        var overload = ids.size() == 1 ? ids.getFirst() : "";
        try {
            var standard = StandardCalls.lower(function, overload, arguments);
            if (standard.isEmpty()) {
                throw new IllegalStateException("unknown function " + function + " " + ids);
            }
            return candidates.isEmpty()
                    ? standard.get()
                    : new UnaryCall(
                            arguments.getFirst(),
                            StandardCallCost.ONE,
                            value -> either(function, candidates, value));
        } catch (PatternSyntaxException e) {
            return faulty(String.valueOf(e.getMessage()));
        }
    }

    /// A conversion defined by both the standard and a library, for different types.
    private static Object either(String function, List<Overload> candidates, Object value) {
        var values = new Object[] {value};
        for (var candidate : candidates) {
            if (new OverloadSignature(candidate).accepts(values)) {
                return candidate.call().apply(values);
            }
        }
        return Conversions.convert(function, value);
    }

    private ExpressionNode foldedConversion(ExpressionNode conversion, ExpressionNode argument) {
        if (!(argument instanceof Constant)) {
            return conversion;
        }
        var value = conversion.eval(new EvaluationFrame(NoDevice.INSTANCE, 0));
        return value instanceof CelError(var message) ? faulty(message) : new Constant(value);
    }

    /// Records an error that makes every evaluation fail.
    private ExpressionNode faulty(String message) {
        if (fault == null) {
            fault = message;
        }
        return new ConstantCall(new CelError(message), 0);
    }

    private static ExpressionNode libraryCall(
            String function, List<Overload> candidates, List<ExpressionNode> arguments) {
        var values = new Object[arguments.size()];
        for (var i = 0; i < values.length; i++) {
            if (!(arguments.get(i) instanceof Constant constant)) {
                return new LibraryCall(function, candidates, arguments);
            }
            values[i] = constant.value;
        }
        var only = candidates.getFirst();
        if (candidates.size() > 1 || !new OverloadSignature(only).accepts(values)) {
            return new LibraryCall(function, candidates, arguments);
        }
        var result = only.call().apply(values);
        return new ConstantCall(result, only.charge().of(values, result));
    }

    private ExpressionNode list(CelExpr.CelList list, @Nullable Scope scope) {
        var optional = new BitSet();
        list.optionalIndices().forEach(optional::set);
        var elements = list.elements().stream().map(e -> lower(e, scope)).toList();
        var literal = new ListLiteral(elements, optional);
        var folded = literal.folded();
        return folded.isPresent() ? new Constant(folded.get()) : literal;
    }

    private ExpressionNode map(CelExpr.CelMap map, @Nullable Scope scope) {
        var entries = new ArrayList<MapLiteral.Entry>();
        for (var entry : map.entries()) {
            entries.add(
                    new MapLiteral.Entry(
                            lower(entry.key(), scope),
                            lower(entry.value(), scope),
                            entry.optionalEntry()));
        }
        var literal = new MapLiteral(entries);
        var folded = literal.folded();
        return folded.isPresent() ? new Constant(folded.get()) : literal;
    }

    private ExpressionNode comprehension(CelExpr.CelComprehension loop, @Nullable Scope scope) {
        var range = lower(loop.iterRange(), scope);
        var initial = lower(loop.accuInit(), scope);
        var fixed = isEmptyList(range);
        var start = fixed ? initial : NewCollection.replacing(initial);
        var accumulator = new LocalBinding(loop.accuVar(), slots++, start, fixed);
        var inResult = new Scope(scope, loop.accuVar(), new Accumulator(accumulator));
        var first = new LocalBinding(loop.iterVar(), slots++, null, false);
        var inLoop = new Scope(inResult, loop.iterVar(), new Variable(first));
        LocalBinding second = null;
        if (!loop.iterVar2().isEmpty()) {
            second = new LocalBinding(loop.iterVar2(), slots++, null, false);
            inLoop = new Scope(inLoop, loop.iterVar2(), new Variable(second));
        }
        return new Comprehension(
                range,
                first,
                second,
                accumulator,
                lower(loop.loopCondition(), inLoop),
                lower(loop.loopStep(), inLoop),
                lower(loop.result(), inResult));
    }

    private static boolean isEmptyList(ExpressionNode node) {
        return node instanceof Constant constant
                && constant.value instanceof List<?> list
                && list.isEmpty();
    }
}
