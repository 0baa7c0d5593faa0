package dev.berth.model.json;

import java.util.HashMap;
import java.util.Map;

/// Source positions of the values of a document; lines and columns start at one, and are zero
/// without a text.
public final class SourceMap {

    private final int line;
    private final int column;
    private final Map<String, SourceMap> children = new HashMap<>();

    SourceMap(int line, int column) {
        this.line = line;
        this.column = column;
    }

    void put(String step, SourceMap child) {
        children.put(step, child);
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    /// The position of the deepest existing value on the path: a missing field is reported at its
    /// parent.
    public SourceMap nearest(FieldPath path) {
        return lookup(path).found;
    }

    private Lookup lookup(FieldPath path) {
        if (path.parent().isEmpty()) {
            return new Lookup(this, true);
        }
        var above = lookup(path.parent().get());
        var child = above.complete ? above.found.children.get(path.step()) : null;
        return child == null ? new Lookup(above.found, false) : new Lookup(child, true);
    }

    private record Lookup(SourceMap found, boolean complete) {}
}
