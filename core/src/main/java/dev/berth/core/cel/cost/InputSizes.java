package dev.berth.core.cel.cost;

import java.util.List;
import java.util.Optional;

/// Maximum sizes of the input of an expression.
public interface InputSizes {

    /// The size of the value at a path: first a variable, then field names, `@keys`, `@values` and
    /// `@items`.
    Optional<SizeRange> of(List<String> path);
}
