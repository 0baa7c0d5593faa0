package dev.berth.app.lint;

/// Something to say about a place in a file, or about an object of a cluster.
///
/// @param line zero when there is no file
record Finding(String file, int line, int column, Severity severity, String text) {

    enum Severity {
        /// The API server would refuse it.
        ERROR,
        /// The API server would take it, but it is probably not what was meant.
        WARNING
    }

    @Override
    public String toString() {
        var place = line == 0 ? file : "%s:%d:%d".formatted(file, line, column);
        return "%s: %s: %s"
                .formatted(place, severity == Severity.ERROR ? "error" : "warning", text);
    }
}
