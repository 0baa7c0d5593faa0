package dev.berth.core.cel.cost;

import java.util.List;
import java.util.Optional;

/// How large the input of an expression can be.
public interface InputSizes {

    /// The size of what a path leads to: first a variable, then field names, `@keys`, `@values` and
    /// `@items`.
    Optional<SizeRange> of(List<String> path);
}
