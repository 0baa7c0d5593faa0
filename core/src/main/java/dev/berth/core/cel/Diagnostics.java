package dev.berth.core.cel;

import com.google.common.collect.ImmutableList;
import dev.berth.core.cel.Compilation.Kind;
import dev.berth.core.cel.Compilation.Rejected;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationResult;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Formats compile errors in the layout and, where possible, with the messages of Kubernetes.
final class Diagnostics {

    /// Maximum number of reported errors.
    private static final int MAX_SHOWN = 100;

    private static final Pattern SYNTAX =
            Pattern.compile(
                    "(extraneous input|mismatched input|missing |no viable alternative"
                            + "|token recognition error).*",
                    Pattern.DOTALL);
    private static final Pattern CANDIDATES =
            Pattern.compile(" \\(candidates: .*\\)$", Pattern.DOTALL);

    private static final Pattern DEEP =
            Pattern.compile("Expression recursion limit exceeded\\. limit: (\\d+)");

    private static final Comparator<CelIssue> BY_POSITION =
            Comparator.comparingInt((CelIssue issue) -> issue.getSourceLocation().getLine())
                    .thenComparingInt(issue -> issue.getSourceLocation().getColumn());

    private Diagnostics() {}

    /// Formats issues of cel-java's parser and checker, some of which have other messages upstream.
    static Rejected compilationFailed(CelValidationResult result) {
        var issues = result.getErrors().stream().map(Diagnostics::kubernetesMessage).toList();
        return compilationFailed(issues, result.getSource());
    }

    static Rejected compilationFailed(List<CelIssue> issues, CelSource source) {
        var shown =
                issues.stream()
                        .sorted(BY_POSITION)
                        .limit(MAX_SHOWN)
                        .collect(ImmutableList.toImmutableList());
        var text = CelIssue.toDisplayString(shown, source);
        return new Rejected(Kind.INVALID, "compilation failed: " + text, position(shown));
    }

    static Rejected invalid(String detail) {
        return new Rejected(Kind.INVALID, detail, Optional.empty());
    }

    static Rejected internal(String detail) {
        return new Rejected(Kind.INTERNAL, detail, Optional.empty());
    }

    /// Formats an error without a position, such as an expression that is nested too deeply.
    static Rejected unreadable(String message) {
        return invalid("compilation failed: ERROR: <input>:-1:0: " + message);
    }

    private static Optional<ExpressionPosition> position(List<CelIssue> issues) {
        return issues.stream()
                .map(CelIssue::getSourceLocation)
                .filter(place -> place.getLine() > 0)
                .findFirst()
                .map(place -> new ExpressionPosition(place.getLine(), place.getColumn() + 1));
    }

    private static CelIssue kubernetesMessage(CelIssue issue) {
        var message = issue.getMessage();
        var deep = DEEP.matcher(message);
        if (deep.matches()) {
            return CelIssue.formatError(
                    CelSourceLocation.NONE,
                    "expression recursion limit exceeded: " + deep.group(1));
        }
        return CelIssue.formatError(
                issue.getExprId(), issue.getSourceLocation(), kubernetesMessage(message));
    }

    private static String kubernetesMessage(String message) {
        if (SYNTAX.matcher(message).matches()) {
            return "Syntax error: " + message;
        }
        if (message.startsWith("For input string:")) {
            return "invalid int literal";
        }
        return CANDIDATES
                .matcher(message)
                .replaceAll("")
                .replace("The argument must be", "argument must be")
                .replace(
                        "cel.bind() variable name must be a simple identifier",
                        "cel.bind() variable names must be simple identifiers")
                .replace("google.protobuf.Timestamp", "timestamp")
                .replace("google.protobuf.Duration", "duration")
                .replace("google.protobuf.Any", "any");
    }
}
