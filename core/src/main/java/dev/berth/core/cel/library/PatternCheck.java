package dev.berth.core.cel.library;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;

/// Compiles regular expressions with the syntax and limits of Kubernetes.
///
/// The syntax is RE2's. Two further limits keep a short pattern from compiling to a huge program:
/// groups nest up to a depth of 1000, and nested repetitions multiply up to 1000.
public final class PatternCheck {

    private static final int MAX_DEPTH = 1_000;
    private static final int MAX_REPETITIONS = 1_000;

    private final String pattern;
    private int at;

    /// The largest product of repetitions in each open group, innermost first.
    private final ArrayDeque<Long> open = new ArrayDeque<>();

    /// The product inside the last element, which a following repetition would multiply.
    private long last;

    private String excess = "";

    private PatternCheck(String pattern) {
        this.pattern = pattern;
        open.push(1L);
    }

    public static boolean accepts(String pattern) {
        return compile(pattern) instanceof Pattern;
    }

    /// The compiled pattern, or a [CelError] when it is malformed.
    public static Object compile(String pattern) {
        // The limits are checked first, since patterns beyond them would exhaust the compiler.
        var excess = new PatternCheck(pattern).excess();
        if (!excess.isEmpty()) {
            return new CelError("error parsing regexp: " + excess);
        }
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            return new CelError(String.valueOf(e.getMessage()));
        }
    }

    /// The limit that the pattern exceeds; empty when it exceeds none.
    private String excess() {
        while (at < pattern.length() && excess.isEmpty()) {
            switch (pattern.charAt(at++)) {
                case '\\' -> skipEscape();
                case '[' -> skipClass();
                case '(' -> open.push(1L);
                case ')' -> close();
                case '{' -> repeat();
                default -> last = 1;
            }
            if (open.size() > MAX_DEPTH) {
                excess = "expression nests too deeply: `" + pattern + "`";
            }
        }
        return excess;
    }

    private void skipEscape() {
        var quoted = at < pattern.length() && pattern.charAt(at) == 'Q';
        var end = quoted ? pattern.indexOf("\\E", at) : at + 1;
        at = end < 0 ? pattern.length() : quoted ? end + 2 : end;
        last = 1;
    }

    private void skipClass() {
        // A leading `]`, also after `^`, is a member of the class.
        if (at < pattern.length() && pattern.charAt(at) == '^') {
            at++;
        }
        var first = at;
        while (at < pattern.length() && (at == first || pattern.charAt(at) != ']')) {
            at += pattern.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
        last = 1;
    }

    private void close() {
        if (open.size() > 1) {
            last = open.pop();
            open.push(Math.max(open.pop(), last));
        }
    }

    private void repeat() {
        var end = pattern.indexOf('}', at);
        var counts = end < 0 ? "" : pattern.substring(at, end);
        if (!counts.matches("\\d{1,4}(,\\d{0,4})?")) {
            last = 1;
            return;
        }
        var comma = counts.indexOf(',');
        var most = comma < 0 ? counts : counts.substring(comma + 1);
        var count = Long.parseLong(most.isEmpty() ? counts.substring(0, comma) : most);
        last = Math.max(1, last) * Math.max(1, count);
        open.push(Math.max(open.pop(), last));
        if (last > MAX_REPETITIONS) {
            excess = "invalid repeat count: `{" + counts + "}`";
        }
        at = end + 1;
    }
}
