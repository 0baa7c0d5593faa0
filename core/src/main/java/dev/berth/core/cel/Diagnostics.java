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

/// The text of compile errors, in the layout and as far as possible in the words that users of
/// Kubernetes know.
final class Diagnostics {

    /// Beyond this, more errors help nobody.
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

    private static final Comparator<CelIssue> BY_PLACE =
            Comparator.comparingInt((CelIssue issue) -> issue.getSourceLocation().getLine())
                    .thenComparingInt(issue -> issue.getSourceLocation().getColumn());

    private Diagnostics() {}

    /// For what the parser or the checker found; they say some things in words of their own.
    static Rejected compilationFailed(CelValidationResult result) {
        var issues = result.getErrors().stream().map(Diagnostics::inKnownWords).toList();
        return compilationFailed(issues, result.getSource());
    }

    static Rejected compilationFailed(List<CelIssue> issues, CelSource source) {
        var shown =
                issues.stream()
                        .sorted(BY_PLACE)
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

    /// For what has no place in the text, such as a text that is too deep to be read.
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

    private static CelIssue inKnownWords(CelIssue issue) {
        var message = issue.getMessage();
        var deep = DEEP.matcher(message);
        if (deep.matches()) {
            return CelIssue.formatError(
                    CelSourceLocation.NONE,
                    "expression recursion limit exceeded: " + deep.group(1));
        }
        return CelIssue.formatError(
                issue.getExprId(), issue.getSourceLocation(), inKnownWords(message));
    }

    private static String inKnownWords(String message) {
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
