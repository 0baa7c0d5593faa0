import java.util.List;
import java.util.regex.Pattern;

/// Compares the output of a command with the output that a page shows.
///
/// Before the comparison both are normalised: values that differ from run to run (ports, ages,
/// UIDs, times, temporary directories, generated suffixes of names) become placeholders, runs of
/// spaces become one space, and blanks at the end of lines are dropped. In the page `…` stands for
/// any text of a line, and a line with nothing but `…` for any number of lines.
final class OutputPattern {

    private record Replacement(Pattern pattern, String by) {
        static Replacement of(String pattern, String by) {
            return new Replacement(Pattern.compile(pattern), by);
        }
    }

    private static final List<Replacement> REPLACEMENTS =
            List.of(
                    Replacement.of("\u001b\\[[0-9;]*[A-Za-z]", ""),
                    Replacement.of("(127\\.0\\.0\\.1|localhost):\\d+", "$1:PORT"),
                    Replacement.of("(-p|--port) \\d+", "$1 PORT"),
                    Replacement.of("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UID"),
                    Replacement.of("\\d{4}-\\d\\d-\\d\\d[T ][0-9:.]+Z?", "TIME"),
                    // Ages of kubectl, such as 5s, 3m20s, 2h5m.
                    Replacement.of("(?<![\\w.-])(\\d+[dhms]){1,2}(?![\\w.])", "AGE"),
                    Replacement.of("(?<![\\w.])\\d+(\\.\\d+)? (ms|s|MB)(?!\\w)", "N $2"),
                    Replacement.of("(pid|process) \\d+", "$1 PID"),
                    // Names that the API server generates: ReplicaSet hash, then five characters.
                    Replacement.of("-[bcdfghjklmnpqrstvwxz2456789]{8,10}(?![\\w-])", "-HASH"),
                    Replacement.of("-[bcdfghjklmnpqrstvwxz2456789]{5}(?!\\w)", "-SUFFIX"),
                    Replacement.of("[ \t]+", " "),
                    Replacement.of("(?m) +$", ""));

    private OutputPattern() {}

    /// Whether the output of a command is what the page shows.
    static boolean matches(List<String> expected, String actual, Directories directories) {
        var shown = normalised(String.join("\n", expected), directories).strip();
        var printed = normalised(actual, directories).strip() + "\n";
        return pattern(shown).matcher(printed).matches();
    }

    static String normalised(String text, Directories directories) {
        var result = directories.replacedIn(text);
        for (var replacement : REPLACEMENTS) {
            result = replacement.pattern().matcher(result).replaceAll(replacement.by());
        }
        return result;
    }

    private static Pattern pattern(String shown) {
        var expression = new StringBuilder();
        for (var line : shown.split("\n", -1)) {
            if (line.equals("…")) {
                expression.append("(?:[^\n]*\n)*?");
                continue;
            }
            var isFirst = true;
            for (var part : line.split("…", -1)) {
                expression.append(isFirst ? "" : "[^\n]*").append(Pattern.quote(part));
                isFirst = false;
            }
            expression.append('\n');
        }
        return Pattern.compile(expression.toString());
    }
}
