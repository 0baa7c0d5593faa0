package dev.berth.core.cel.cost;

import dev.berth.core.cel.cost.LanguageCosts.Call;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelList;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Estimates the minimum and maximum cost of a checked expression before evaluation.
///
/// The cost model is that of Kubernetes: a node costs the sum of its arguments plus a constant;
/// functions that scan their arguments cost as much as those are long; a comprehension costs its
/// body times the length of its range. Sizes of strings, lists and maps are therefore tracked too:
/// constants have known sizes, [InputSizes] has those of the input, and result sizes of calls
/// follow from their arguments. One pass over the tree, each node once.
public final class CostEstimator {

    private static final CostRange LIST = CostRange.exactly(10);
    private static final CostRange MAP = CostRange.exactly(30);
    private static final CostRange MESSAGE = CostRange.exactly(40);

    /// The neutral element of the union of ranges.
    private static final SizeRange NO_SIZE = new SizeRange(Long.MAX_VALUE, 0);

    private static final CostRange NO_COST = new CostRange(Long.MAX_VALUE, 0);

    /// The accumulator name of older parsers; a `cel.bind` variable never has it.
    private static final String OLD_ACCUMULATOR = "__result__";

    private final CelAbstractSyntaxTree ast;
    private final CallCosts functions;
    private final SizeTable sizes;
    private final LanguageCosts language;

    private CostEstimator(CelAbstractSyntaxTree ast, InputSizes inputs, CallCosts functions) {
        this.ast = ast;
        this.functions = functions;
        this.sizes = new SizeTable(ast, inputs);
        this.language = new LanguageCosts(sizes);
    }

    public static CostRange of(CelAbstractSyntaxTree ast, InputSizes inputs, CallCosts functions) {
        return new CostEstimator(ast, inputs, functions).cost(ast.getExpr());
    }

    private CostRange cost(CelExpr expr) {
        return switch (expr.getKind()) {
            case CONSTANT, NOT_SET -> CostRange.ZERO;
            case IDENT -> ident(expr);
            case SELECT -> select(expr, expr.select());
            case CALL -> call(expr);
            case LIST -> list(expr, expr.list());
            case MAP -> map(expr, expr.map());
            case STRUCT -> message(expr);
            case COMPREHENSION ->
                    isBinding(expr.comprehension())
                            ? binding(expr, expr.comprehension())
                            : comprehension(expr, expr.comprehension());
        };
    }

    private CostRange ident(CelExpr expr) {
        var name = expr.ident().name();
        var local = sizes.locals.find(name);
        sizes.path(expr, local.map(LocalVariables.Local::path).orElse(List.of(name)));
        return CostRange.ONE;
    }

    private CostRange select(CelExpr expr, CelSelect select) {
        var operand = cost(select.operand());
        if (select.testOnly()) {
            return operand;
        }
        sizes.path(expr, sizes.path(select.operand(), select.field()));
        return switch (sizes.type(select.operand()).kind()) {
            case MAP, STRUCT, TYPE_PARAM -> operand.plus(CostRange.ONE);
            // Upstream charges nothing for a selection from a value of unknown type.
            default -> operand;
        };
    }

    private CostRange call(CelExpr expr) {
        var call = expr.call();
        if (call.function().equals("dyn") && call.args().size() == 1) {
            var argument = call.args().getFirst();
            var cost = cost(argument).plus(CostRange.ONE);
            sizes.copy(argument, expr);
            return cost;
        }
        var arguments = new ArrayList<CelExpr>(call.args());
        var costs = new ArrayList<CostRange>();
        for (var argument : call.args()) {
            costs.add(cost(argument));
        }
        var target = CostRange.ZERO;
        if (call.target().isPresent()) {
            target = cost(call.target().get());
            arguments.addFirst(call.target().get());
        }
        return target.plus(overloads(new Call(expr, arguments, costs)));
    }

    /// The union over all overloads that the checker could not distinguish.
    private CostRange overloads(Call call) {
        var ids =
                ast.getReference(call.expr().id())
                        .map(CelReference::overloadIds)
                        .map(List::<String>copyOf)
                        .orElse(List.of());
        if (ids.isEmpty()) {
            return CostRange.ZERO;
        }
        var cost = NO_COST;
        var resultSize = Optional.<SizeRange>empty();
        for (var id : ids) {
            var estimate = estimate(id, call);
            cost = cost.union(estimate.cost());
            resultSize = union(resultSize, estimate.resultSize());
            if (id.equals("index_list") || id.equals("index_map")) {
                var container = call.arguments().getFirst();
                resultSize = sizes.entrySize(container).map(EntrySize::value);
                var step = id.equals("index_list") ? "@items" : "@values";
                sizes.path(call.expr(), sizes.path(container, step));
            }
            if (resultSize.isEmpty()) {
                resultSize = sizes.size(call.expr());
            }
        }
        sizes.size(call.expr(), resultSize);
        return cost;
    }

    private CallEstimate estimate(String id, Call call) {
        var nodes = call.arguments().stream().map(sizes::argument).toList();
        return functions
                .of(id, nodes)
                .map(own -> new CallEstimate(own.cost().plus(call.costs()), own.resultSize()))
                .orElseGet(() -> language.estimate(id, call));
    }

    private static Optional<SizeRange> union(Optional<SizeRange> a, Optional<SizeRange> b) {
        return a.isPresent() && b.isPresent() ? Optional.of(a.get().union(b.get())) : a.or(() -> b);
    }

    private CostRange list(CelExpr expr, CelList list) {
        var cost = LIST;
        var size = list.elements().isEmpty() ? SizeRange.exactly(0) : NO_SIZE;
        for (var element : list.elements()) {
            cost = cost.plus(cost(element));
            size = size.union(sizes.sizeOrUnbounded(element));
        }
        sizes.entrySize(expr, Optional.of(new EntrySize(true, SizeRange.exactly(1), size)));
        return cost;
    }

    private CostRange map(CelExpr expr, CelMap map) {
        var cost = MAP;
        var keys = map.entries().isEmpty() ? SizeRange.exactly(0) : NO_SIZE;
        var values = keys;
        for (var entry : map.entries()) {
            cost = cost.plus(cost(entry.key())).plus(cost(entry.value()));
            keys = keys.union(sizes.sizeOrUnbounded(entry.key()));
            values = values.union(sizes.sizeOrUnbounded(entry.value()));
        }
        sizes.entrySize(expr, Optional.of(new EntrySize(false, keys, values)));
        return cost;
    }

    private CostRange message(CelExpr expr) {
        var cost = MESSAGE;
        for (var entry : expr.struct().entries()) {
            cost = cost.plus(cost(entry.value()));
        }
        return cost;
    }

    private CostRange comprehension(CelExpr expr, CelComprehension loop) {
        var once = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        pushBinding(loop);
        if (loop.iterVar2().isEmpty()) {
            pushSingle(loop);
        } else {
            pushPair(loop);
        }
        var each = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
        sizes.locals.pop(loop.iterVar());
        if (!loop.iterVar2().isEmpty()) {
            sizes.locals.pop(loop.iterVar2());
        }
        once = once.plus(cost(loop.result()));
        sizes.locals.pop(loop.accuVar());

        var iterations = sizes.sizeOrUnbounded(loop.iterRange());
        switch (loop.accuInit().getKind()) {
            case CONSTANT -> sizes.size(expr, sizes.size(loop.accuInit()));
            case LIST, MAP -> {
                sizes.size(expr, Optional.of(iterations));
                sizes.entrySize(expr, sizes.entrySize(loop.loopStep()));
            }
            default -> {}
        }
        return once.plus(iterations.times(each));
    }

    private void pushSingle(CelComprehension loop) {
        var range = loop.iterRange();
        var entry = sizes.entrySize(range);
        var list = isList(range);
        var size = list ? entry.map(EntrySize::value) : entry.map(EntrySize::key);
        pushIteration(loop.iterVar(), range, list ? "@items" : "@keys", size);
    }

    private void pushPair(CelComprehension loop) {
        var range = loop.iterRange();
        var entry = sizes.entrySize(range);
        var list = isList(range);
        pushIteration(
                loop.iterVar(), range, list ? "@indices" : "@keys", entry.map(EntrySize::key));
        pushIteration(
                loop.iterVar2(), range, list ? "@items" : "@values", entry.map(EntrySize::value));
    }

    private boolean isList(CelExpr range) {
        return sizes.entrySize(range)
                .map(EntrySize::list)
                .orElse(sizes.type(range).kind() == CelKind.LIST);
    }

    private void pushIteration(String name, CelExpr range, String step, Optional<SizeRange> size) {
        sizes.locals.push(
                name, new LocalVariables.Local(sizes.path(range, step), size, Optional.empty()));
    }

    private void pushBinding(CelComprehension loop) {
        var init = loop.accuInit();
        sizes.locals.push(
                loop.accuVar(),
                new LocalVariables.Local(
                        sizes.path(init), sizes.size(init), sizes.entrySize(init)));
    }

    /// Whether this is `cel.bind`, which the parser expands to a comprehension over an empty list.
    private static boolean isBinding(CelComprehension loop) {
        var range = loop.iterRange();
        var condition = loop.loopCondition();
        return range.getKind() == Kind.LIST
                && range.list().elements().isEmpty()
                && condition.getKind() == Kind.CONSTANT
                && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !condition.constant().booleanValue()
                && !loop.accuVar().equals(OLD_ACCUMULATOR);
    }

    private CostRange binding(CelExpr expr, CelComprehension loop) {
        // The empty range is charged although a binding never iterates.
        var cost = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        pushBinding(loop);
        cost = cost.plus(cost(loop.result()));
        sizes.locals.pop(loop.accuVar());
        sizes.copy(loop.result(), expr);
        return cost;
    }
}
