package dev.berth.core.cel;

import java.util.List;

/// A part of an expression that made the whole of it false, or fail.
///
/// @param part the text of the part
/// @param failed true when the part failed, false when it was false
/// @param message why it failed; empty when it did not
/// @param read what the part looked at
public record FailedSubexpression(
        String part, boolean failed, String message, List<ReadValue> read) {

    public FailedSubexpression {
        read = List.copyOf(read);
    }
}
