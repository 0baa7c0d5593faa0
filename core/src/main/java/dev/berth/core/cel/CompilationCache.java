package dev.berth.core.cel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/// What came of the expressions that were compiled last.
final class CompilationCache {

    private static final int MOST = 256;

    /// Longer texts are rare, and what they compile to is large.
    private static final int LONGEST = 1_024;

    private record Asked(String text, ExpressionPurpose purpose) {}

    // Guarded by itself; the one that was not used for the longest time comes first.
    private final Map<Asked, Compilation> known = new LinkedHashMap<>(16, 0.75f, true);

    /// What is known, or else what compiling gives.
    Compilation of(
            String text,
            ExpressionPurpose purpose,
            BiFunction<String, ExpressionPurpose, Compilation> compile) {
        if (text.length() > LONGEST) {
            return compile.apply(text, purpose);
        }
        var asked = new Asked(text, purpose);
        synchronized (known) {
            var found = known.get(asked);
            if (found != null) {
                return found;
            }
        }
        // Two may compile the same at the same time, which is better than to wait for others.
        var made = compile.apply(text, purpose);
        synchronized (known) {
            known.put(asked, made);
            if (known.size() > MOST) {
                known.remove(known.keySet().iterator().next());
            }
        }
        return made;
    }
}
