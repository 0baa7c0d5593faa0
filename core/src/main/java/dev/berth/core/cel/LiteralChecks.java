package dev.berth.core.cel;

import dev.berth.core.cel.library.PatternCheck;
import dev.berth.core.cel.value.CelTimes;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelList;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelExprVisitor;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks constants that always fail at run time and that the type checker does not reject:
/// malformed durations, timestamps and patterns, format strings that do not match their arguments,
/// and list or map literals with mixed types.
final class LiteralChecks extends CelExprVisitor {

    private final CelAbstractSyntaxTree ast;
    private final List<CelIssue> issues = new ArrayList<>();

    /// Number of enclosing calls of `format`, whose lists may have mixed types.
    private int formatDepth;

    private LiteralChecks(CelAbstractSyntaxTree ast) {
        this.ast = ast;
    }

    static List<CelIssue> of(CelAbstractSyntaxTree ast) {
        var checks = new LiteralChecks(ast);
        checks.visit(ast.getExpr());
        return checks.issues;
    }

    @Override
    protected void visit(CelExpr expr, CelCall call) {
        switch (call.function()) {
            case "duration" -> check(call, "duration", LiteralChecks::isDuration);
            case "timestamp" -> check(call, "timestamp", LiteralChecks::isTimestamp);
            case "matches" -> check(call, "matches", PatternCheck::accepts);
            case "format" -> format(expr, call);
            default -> {}
        }
        var format = call.function().equals("format") ? 1 : 0;
        formatDepth += format;
        super.visit(expr, call);
        formatDepth -= format;
    }

    static boolean isDuration(String text) {
        return CelTimes.parseDuration(text).isPresent();
    }

    static boolean isTimestamp(String text) {
        return CelTimes.parseTimestamp(text).filter(Instant.class::isInstance).isPresent();
    }

    private interface Check {
        boolean accepts(String literal);
    }

    private void check(CelCall call, String function, Check check) {
        if (call.args().isEmpty()) {
            return;
        }
        var argument = call.args().getFirst();
        text(argument)
                .filter(literal -> !check.accepts(literal))
                .ifPresent(_ -> report(argument.id(), "invalid " + function + " argument"));
    }

    private void format(CelExpr expr, CelCall call) {
        var template = call.target().flatMap(LiteralChecks::text);
        if (template.isEmpty()
                || call.args().size() != 1
                || call.args().getFirst().getKind() != Kind.LIST) {
            return;
        }
        FormatTemplate.problem(template.get(), call.args().getFirst().list().elements(), ast)
                .ifPresent(problem -> report(problem.expr().orElse(expr.id()), problem.message()));
    }

    @Override
    protected void visit(CelExpr expr, CelList list) {
        super.visit(expr, list);
        var same = new SameTypes();
        for (var i = 0; i < list.elements().size(); i++) {
            same.add(list.elements().get(i), list.optionalIndices().contains(i));
        }
    }

    @Override
    protected void visit(CelExpr expr, CelMap map) {
        super.visit(expr, map);
        var keys = new SameTypes();
        var values = new SameTypes();
        for (var entry : map.entries()) {
            keys.add(entry.key(), false);
            values.add(entry.value(), entry.optionalEntry());
        }
    }

    /// Checks the entries of one literal. Only the first mismatch is reported.
    private final class SameTypes {
        private Optional<CelType> expected = Optional.empty();
        private boolean reported;

        void add(CelExpr entry, boolean optional) {
            if (formatDepth > 0 || reported) {
                return;
            }
            var found = type(entry);
            if (optional && !found.parameters().isEmpty()) {
                found = found.parameters().getFirst();
            }
            if (expected.isEmpty()) {
                expected = Optional.of(found);
                return;
            }
            var wanted = TypeNames.casual(expected.get());
            var name = TypeNames.casual(found);
            if (!wanted.equals(name)) {
                reported = true;
                report(entry.id(), "expected type '" + wanted + "' but found '" + name + "'");
            }
        }
    }

    private CelType type(CelExpr expr) {
        return ast.getType(expr.id()).orElse(SimpleType.DYN);
    }

    private static Optional<String> text(CelExpr expr) {
        return expr.getKind() == Kind.CONSTANT
                        && expr.constant().getKind() == CelConstant.Kind.STRING_VALUE
                ? Optional.of(expr.constant().stringValue())
                : Optional.empty();
    }

    private void report(long id, String message) {
        var source = ast.getSource();
        var place =
                Optional.ofNullable(source.getPositionsMap().get(id))
                        .flatMap(source::getOffsetLocation)
                        .orElse(CelSourceLocation.NONE);
        issues.add(CelIssue.formatError(id, place, message));
    }
}
