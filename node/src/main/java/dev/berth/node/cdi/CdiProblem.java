package dev.berth.node.cdi;

import dev.berth.model.json.FieldPath;

/// Something that makes a document unusable.
///
/// @param line where it stands in the text, from one; 0 when it was not read from a text
/// @param path of the field; the root when the text as a whole is meant
public record CdiProblem(Severity severity, FieldPath path, int line, int column, String message) {

    /// What a problem does to those who read the document.
    public enum Severity {
        /// Its devices cannot be used.
        INVALID,
        /// Runtimes that use the reference library crash on it, or crashed until lately: a running
        /// containerd stops, and does not start again while the file is there.
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
