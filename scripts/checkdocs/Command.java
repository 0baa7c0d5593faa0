import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A command of a block: text for the shell, and the output that the page shows.
///
/// @param line the line of the command in its page
/// @param text the text for the shell, of one or more lines
/// @param output the expected output; empty in a block without prompts
record Command(int line, String text, Optional<List<String>> output) {

    /// The commands of a block. In a block with prompts a command begins with `$ ` and goes on in
    /// lines that begin with `> `. A block without prompts is one command.
    static List<Command> of(Block block) {
        if (block.kind() == Block.Kind.COMMANDS) {
            var text = String.join("\n", block.lines());
            return List.of(new Command(block.line() + 1, text, Optional.empty()));
        }
        var commands = new ArrayList<Command>();
        var lines = block.lines();
        var i = 0;
        while (i < lines.size()) {
            var first = i;
            var text = new StringBuilder();
            if (lines.get(i).startsWith("$ ")) {
                text.append(lines.get(i++).substring(2));
            }
            while (i < lines.size() && isContinuation(lines.get(i), text)) {
                var line = lines.get(i++);
                text.append('\n').append(line.startsWith("> ") ? line.substring(2) : line);
            }
            var output = new ArrayList<String>();
            while (i < lines.size() && !lines.get(i).startsWith("$ ")) {
                output.add(lines.get(i++));
            }
            commands.add(
                    new Command(
                            block.line() + 1 + first,
                            text.toString(),
                            Optional.of(withoutBlankEnd(output))));
        }
        return commands;
    }

    private static boolean isContinuation(String line, CharSequence before) {
        return !before.isEmpty()
                && (line.startsWith("> ") || before.charAt(before.length() - 1) == '\\');
    }

    /// Blank lines before the next prompt separate commands; they are no output.
    private static List<String> withoutBlankEnd(List<String> lines) {
        var end = lines.size();
        while (end > 0 && lines.get(end - 1).isBlank()) {
            end--;
        }
        return List.copyOf(lines.subList(0, end));
    }
}
