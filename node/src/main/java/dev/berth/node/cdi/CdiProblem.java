package dev.berth.node.cdi;

import dev.berth.model.json.FieldPath;

/// A problem that makes a CDI spec unusable.
///
/// @param line position in the text, from one; 0 if it was not read from a text
/// @param path of the field; the root for the text as a whole
public record CdiProblem(Severity severity, FieldPath path, int line, int column, String message) {

    /// Effect of a problem on runtimes.
    public enum Severity {
        /// The devices of the spec cannot be used.
        INVALID,
        /// Runtimes with the reference library crash on it, or crashed until recently: a running
        /// containerd stops, and does not start again while the file exists.
        DANGEROUS
    }

    static CdiProblem invalid(FieldPath path, String message) {
        return new CdiProblem(Severity.INVALID, path, 0, 0, message);
    }

    static CdiProblem dangerous(FieldPath path, String message) {
        return new CdiProblem(Severity.DANGEROUS, path, 0, 0, message);
    }

    CdiProblem at(int newLine, int newColumn) {
        return new CdiProblem(severity, path, newLine, newColumn, message);
    }

    public boolean isDangerous() {
        return severity == Severity.DANGEROUS;
    }

    @Override
    public String toString() {
        var text = path.equals(FieldPath.ROOT) ? message : path + ": " + message;
        return line == 0 ? text : "%d:%d: %s".formatted(line, column, text);
    }
}
