package dev.berth.core.cel;

import java.util.List;

/// A subexpression that makes the whole expression false or fail.
///
/// @param part source text of the subexpression
/// @param failed true when the part fails to evaluate, false when it is false
/// @param message the error; empty when the part is false
/// @param read the device fields that the part reads
public record FailedSubexpression(
        String part, boolean failed, String message, List<ReadValue> read) {

    public FailedSubexpression {
        read = List.copyOf(read);
    }
}
