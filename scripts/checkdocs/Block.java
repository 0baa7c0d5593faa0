import java.util.List;

/// A fenced block of a page.
///
/// @param page the file, relative to the repository
/// @param line the line of the opening fence, from 1
/// @param language the info string of the fence, such as `console`, or empty
/// @param lines the text between the fences
/// @param marker the comment before the block
record Block(String page, int line, String language, List<String> lines, Marker marker) {

    /// The comment before a block, which says how the block is checked.
    sealed interface Marker {
        /// No comment.
        record None() implements Marker {}

        /// `<!-- skip: REASON -->`: the block is never run.
        record Skip(String reason) implements Marker {}

        /// `<!-- long: REASON -->`: the block is run with `--long` only.
        record Long(String reason) implements Marker {}

        /// `<!-- file: PATH -->`: the block shows this file of the repository.
        record ShownFile(String path) implements Marker {}
    }

    /// The content of the block.
    enum Kind {
        /// Commands after `$ ` prompts, each followed by its output.
        SESSION,
        /// Commands without output.
        COMMANDS,
        /// Text that is not run: YAML, Java, output.
        DATA,
        /// A block without a language and without prompts.
        UNKNOWN
    }

    private static final List<String> DATA_LANGUAGES =
            List.of("yaml", "json", "java", "xml", "text", "output", "dockerfile", "proto", "ini");

    Kind kind() {
        if (lines.stream().anyMatch(line -> line.startsWith("$ "))) {
            return Kind.SESSION;
        }
        return switch (language) {
            case "bash", "sh", "shell" -> Kind.COMMANDS;
            case "" -> Kind.UNKNOWN;
            case "console" -> Kind.UNKNOWN;
            default -> DATA_LANGUAGES.contains(language) ? Kind.DATA : Kind.UNKNOWN;
        };
    }

    String place() {
        return page + ":" + line;
    }
}
