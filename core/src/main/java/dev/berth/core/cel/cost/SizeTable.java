package dev.berth.core.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Sizes and input paths of the nodes of an expression during estimation.
final class SizeTable {

    private final CelAbstractSyntaxTree ast;
    private final InputSizes inputs;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, SizeRange> sizes = new HashMap<>();
    private final Map<Long, EntrySize> entrySizes = new HashMap<>();

    final LocalVariables locals = new LocalVariables();

    SizeTable(CelAbstractSyntaxTree ast, InputSizes inputs) {
        this.ast = ast;
        this.inputs = inputs;
    }

    CelType type(CelExpr expr) {
        return ast.getType(expr.id()).orElse(SimpleType.DYN);
    }

    void path(CelExpr expr, List<String> path) {
        paths.put(expr.id(), path);
    }

    List<String> path(CelExpr expr) {
        return local(expr)
                .map(LocalVariables.Local::path)
                .orElse(paths.getOrDefault(expr.id(), List.of()));
    }

    /// The path of a child of `expr`. The child of an unknown path is unknown: it starts with a
    /// step that is not the name of any variable.
    List<String> path(CelExpr expr, String step) {
        var path = new ArrayList<>(path(expr));
        path.add(step);
        return path;
    }

    void size(CelExpr expr, Optional<SizeRange> size) {
        size.ifPresent(known -> sizes.put(expr.id(), known));
    }

    Optional<SizeRange> size(CelExpr expr) {
        return Optional.ofNullable(sizes.get(expr.id()))
                .or(() -> literalSize(expr))
                .or(() -> inputSize(expr))
                .or(() -> typeSize(type(expr)))
                .or(() -> local(expr).flatMap(LocalVariables.Local::size));
    }

    SizeRange sizeOrUnbounded(CelExpr expr) {
        return size(expr).orElse(SizeRange.UNBOUNDED);
    }

    void entrySize(CelExpr expr, Optional<EntrySize> entrySize) {
        entrySize.ifPresent(known -> entrySizes.put(expr.id(), known));
    }

    Optional<EntrySize> entrySize(CelExpr expr) {
        return Optional.ofNullable(entrySizes.get(expr.id()))
                .or(() -> local(expr).flatMap(LocalVariables.Local::entrySize));
    }

    void copy(CelExpr from, CelExpr to) {
        size(to, size(from));
        entrySize(to, entrySize(from));
    }

    ArgumentEstimate argument(CelExpr expr) {
        var elements = type(expr).parameters().isEmpty() ? List.<String>of() : path(expr, "@items");
        return new ArgumentEstimate(
                type(expr),
                sizeOrUnbounded(expr),
                inputs.of(elements).orElse(SizeRange.UNBOUNDED),
                literal(expr));
    }

    private Optional<LocalVariables.Local> local(CelExpr expr) {
        return expr.getKind() == Kind.IDENT ? locals.find(expr.ident().name()) : Optional.empty();
    }

    private Optional<SizeRange> inputSize(CelExpr expr) {
        var size = inputs.of(path(expr));
        // Stored, since a local variable may go out of scope before the next lookup.
        size(expr, size);
        return size;
    }

    private static Optional<SizeRange> literalSize(CelExpr expr) {
        return switch (expr.getKind()) {
            case CONSTANT -> Optional.of(SizeRange.exactly(size(expr.constant())));
            case LIST -> Optional.of(SizeRange.exactly(expr.list().elements().size()));
            case MAP -> Optional.of(SizeRange.exactly(expr.map().entries().size()));
            case NOT_SET, IDENT, SELECT, CALL, STRUCT, COMPREHENSION -> Optional.empty();
        };
    }

    private static long size(CelConstant constant) {
        return switch (constant.getKind()) {
            case STRING_VALUE ->
                    constant.stringValue().codePointCount(0, constant.stringValue().length());
            case BYTES_VALUE -> constant.bytesValue().size();
            default -> 1;
        };
    }

    private static Optional<SizeRange> typeSize(CelType type) {
        return isScalar(type) ? Optional.of(SizeRange.exactly(1)) : Optional.empty();
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            case OPAQUE ->
                    type.name().equals(OptionalType.NAME)
                            && !type.parameters().isEmpty()
                            && isScalar(type.parameters().getFirst());
            default -> false;
        };
    }

    private static Optional<Object> literal(CelExpr expr) {
        if (expr.getKind() != Kind.CONSTANT) {
            return Optional.empty();
        }
        var constant = expr.constant();
        return switch (constant.getKind()) {
            case INT64_VALUE -> Optional.of(constant.int64Value());
            case STRING_VALUE -> Optional.of(constant.stringValue());
            case BOOLEAN_VALUE -> Optional.of(constant.booleanValue());
            case DOUBLE_VALUE -> Optional.of(constant.doubleValue());
            default -> Optional.empty();
        };
    }
}
