package dev.berth.core.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelExprVisitor;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelStandardMacro;
import java.util.List;
import java.util.Optional;

/// Macros that cel-java expands differently from Kubernetes. The expansion determines the cost of
/// an expression.
final class CelMacros {

    /// Maximum length of an `optMap` chain. The macro repeats its receiver, so a chain doubles with
    /// every link. Useful chains are far shorter.
    private static final int MAX_COPIED_NODES = 10_000;

    private static final String SORTED_LIST = "@__sortBy_input__";
    private static final String UNUSED = "#unused";

    private CelMacros() {}

    static List<CelMacro> all() {
        return List.of(
                CelMacro.newReceiverMacro("optMap", 2, CelMacros::optMap),
                CelMacro.newReceiverMacro("optFlatMap", 2, CelMacros::optFlatMap),
                CelMacro.newReceiverMacro("sortBy", 2, CelMacros::sortBy));
    }

    /// `x.optMap(v, e)` is `x.hasValue() ? optional.of(bind v = x.value() in e) : optional.none()`.
    private static Optional<CelExpr> optMap(
            CelMacroExprFactory exprs, CelExpr target, ImmutableList<CelExpr> arguments) {
        var problem = problem(exprs, "optMap", target, arguments);
        if (problem.isPresent()) {
            return problem;
        }
        var value = exprs.newGlobalCall("optional.of", boundValue(exprs, target, arguments));
        return Optional.of(ifPresent(exprs, target, value));
    }

    /// Like `optMap`, for an `e` that is optional itself.
    private static Optional<CelExpr> optFlatMap(
            CelMacroExprFactory exprs, CelExpr target, ImmutableList<CelExpr> arguments) {
        var problem = problem(exprs, "optFlatMap", target, arguments);
        if (problem.isPresent()) {
            return problem;
        }
        return Optional.of(ifPresent(exprs, target, boundValue(exprs, target, arguments)));
    }

    private static Optional<CelExpr> problem(
            CelMacroExprFactory exprs,
            String macro,
            CelExpr target,
            ImmutableList<CelExpr> arguments) {
        if (arguments.getFirst().getKind() != Kind.IDENT) {
            return Optional.of(
                    exprs.reportError(macro + "() variable name must be a simple identifier"));
        }
        var tree = TreeScan.of(target);
        if (tree.broken) {
            // The receiver contains an error node of another macro, which is already reported and
            // cannot be copied.
            return Optional.of(target);
        }
        if (tree.nodes > MAX_COPIED_NODES) {
            return Optional.of(exprs.reportError(macro + "() is applied to too long a chain"));
        }
        return Optional.empty();
    }

    private static CelExpr boundValue(
            CelMacroExprFactory exprs, CelExpr target, ImmutableList<CelExpr> arguments) {
        var value = exprs.newReceiverCall("value", exprs.copy(target));
        return bind(exprs, arguments.get(0).ident().name(), value, arguments.get(1));
    }

    private static CelExpr ifPresent(CelMacroExprFactory exprs, CelExpr target, CelExpr value) {
        return exprs.newGlobalCall(
                "_?_:_",
                exprs.newReceiverCall("hasValue", target),
                value,
                exprs.newGlobalCall("optional.none"));
    }

    /// `x.sortBy(v, e)` sorts `x` by the list of keys `x.map(v, e)`.
    private static Optional<CelExpr> sortBy(
            CelMacroExprFactory exprs, CelExpr target, ImmutableList<CelExpr> arguments) {
        switch (target.getKind()) {
            case LIST, SELECT, IDENT, COMPREHENSION, CALL -> {}
            default -> {
                return Optional.of(
                        exprs.reportError(
                                "sortBy can only be applied to a list, identifier, comprehension,"
                                        + " call or select expression"));
            }
        }
        var keys =
                CelStandardMacro.MAP
                        .getDefinition()
                        .getExpander()
                        .expandMacro(exprs, exprs.newIdentifier(SORTED_LIST), arguments);
        return keys.map(found ->
                bind(
                        exprs,
                        SORTED_LIST,
                        target,
                        exprs.newReceiverCall(
                                "@sortByAssociatedKeys", exprs.newIdentifier(SORTED_LIST), found)));
    }

    private static CelExpr bind(
            CelMacroExprFactory exprs, String name, CelExpr value, CelExpr body) {
        return exprs.fold(
                UNUSED,
                exprs.newList(),
                name,
                value,
                exprs.newBoolLiteral(false),
                exprs.newIdentifier(name),
                body);
    }

    private static final class TreeScan extends CelExprVisitor {
        private int nodes;
        private boolean broken;

        static TreeScan of(CelExpr expr) {
            var scan = new TreeScan();
            scan.visit(expr);
            return scan;
        }

        @Override
        public void visit(CelExpr expr) {
            nodes++;
            if (expr.getKind() == Kind.NOT_SET) {
                broken = true;
            } else {
                super.visit(expr);
            }
        }
    }
}
