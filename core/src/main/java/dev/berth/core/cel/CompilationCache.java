package dev.berth.core.cel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/// LRU cache of compilation results, bounded in the number of entries.
final class CompilationCache {

    private static final int MAX_ENTRIES = 256;

    /// Longer expressions are not cached: they are rare, and their results are large.
    private static final int MAX_LENGTH = 1_024;

    private record Key(String text, ExpressionPurpose purpose) {}

    // Guarded by itself; in access order, least recently used first.
    private final Map<Key, Compilation> entries = new LinkedHashMap<>(16, 0.75f, true);

    /// The cached result, or the result of compiling.
    Compilation of(
            String text,
            ExpressionPurpose purpose,
            BiFunction<String, ExpressionPurpose, Compilation> compile) {
        if (text.length() > MAX_LENGTH) {
            return compile.apply(text, purpose);
        }
        var key = new Key(text, purpose);
        synchronized (entries) {
            var found = entries.get(key);
            if (found != null) {
                return found;
            }
        }
        // Concurrent threads may compile the same expression twice, which is better than blocking.
        var result = compile.apply(text, purpose);
        synchronized (entries) {
            entries.put(key, result);
            if (entries.size() > MAX_ENTRIES) {
                entries.remove(entries.keySet().iterator().next());
            }
        }
        return result;
    }
}
