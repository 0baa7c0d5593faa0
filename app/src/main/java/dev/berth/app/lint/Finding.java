package dev.berth.app.lint;

/// Something to say about a place in a file.
record Finding(String file, int line, int column, Severity severity, String text) {

    enum Severity {
        /// The API server would refuse it.
        ERROR,
        /// The API server would take it, but it is probably not what was meant.
        WARNING
    }

    @Override
    public String toString() {
        return "%s:%d:%d: %s: %s"
                .formatted(
                        file, line, column, severity == Severity.ERROR ? "error" : "warning", text);
    }
}
