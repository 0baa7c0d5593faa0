package dev.berth.app.print;

import dev.berth.app.print.Palette.Style;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The help of a command. Paragraphs are wrapped at spaces to the width of the terminal; footers
/// with examples are printed as they are, so that they can be copied. The choices and the default
/// of an option follow its description.
public final class HelpText {

    private static final String MARGIN = "  ";
    private static final int WIDEST_LABEL = 28;
    private static final List<String> LAST = List.of("--help", "--version");

    private final Palette palette;
    private final int width;
    private final StringBuilder text = new StringBuilder();

    private HelpText(Palette palette, int width) {
        this.palette = palette;
        this.width = width;
    }

    /// A line of a list: a label, and the paragraph beside it.
    private record Item(String label, String description) {}

    public static String of(CommandSpec command, Palette palette, int width) {
        var help = new HelpText(palette, width);
        help.write(command);
        return help.text.toString();
    }

    /// Prints the help of a command to its output.
    public static void print(CommandLine command) {
        var out = command.getOut();
        TerminalWriter.printStyled(
                out, of(command.getCommandSpec(), Palette.ofTerminal(), Terminal.textWidth()));
        out.flush();
    }

    private void write(CommandSpec command) {
        var usage = command.usageMessage();
        line(palette.paint(Style.HEADING, "Usage:") + " " + synopsis(command));
        line("");
        Arrays.stream(usage.description()).forEach(this::paragraph);
        list("Arguments:", arguments(command));
        list("Commands:", commands(command));
        list("Options:", options(command));
        list("Exit codes:", exitCodes(usage.exitCodeList()));
        footer(usage.footer());
    }

    private static String synopsis(CommandSpec command) {
        var words = new ArrayList<String>();
        words.add(command.qualifiedName());
        words.add("[OPTIONS]");
        for (var one : command.positionalParameters()) {
            words.add(one.arity().min() == 0 ? "[" + label(one) + "]" : label(one));
        }
        if (!command.subcommands().isEmpty()) {
            words.add("COMMAND");
        }
        return String.join(" ", words);
    }

    private static String label(PositionalParamSpec one) {
        return one.paramLabel() + (one.arity().max() == Integer.MAX_VALUE ? "…" : "");
    }

    private void paragraph(String paragraph) {
        var formatted = formatted(paragraph);
        if (formatted.startsWith(" ")) {
            line(formatted);
        } else {
            TextWrap.lines(formatted, width).forEach(this::line);
        }
    }

    private static String formatted(String paragraph) {
        return paragraph.replace("%n", "\n").replace("%%", "%");
    }

    private static List<Item> arguments(CommandSpec command) {
        return command.positionalParameters().stream()
                .map(one -> new Item(label(one), description(one)))
                .toList();
    }

    private static List<Item> commands(CommandSpec command) {
        return command.subcommands().values().stream()
                .distinct()
                .map(CommandLine::getCommandSpec)
                .filter(one -> !one.usageMessage().hidden())
                .map(one -> new Item(one.name(), summary(one)))
                .toList();
    }

    /// The first paragraph of a command's description.
    static String summary(CommandSpec command) {
        var description = command.usageMessage().description();
        return description.length == 0 ? "" : formatted(description[0]);
    }

    private static List<Item> options(CommandSpec command) {
        return command.options().stream()
                .filter(one -> !one.hidden())
                .sorted(
                        Comparator.comparing((OptionSpec one) -> LAST.contains(one.longestName()))
                                .thenComparing(OptionSpec::longestName))
                .map(one -> new Item(names(one), description(one)))
                .toList();
    }

    private static String names(OptionSpec option) {
        var names =
                Arrays.stream(option.names())
                        .sorted(Comparator.comparingInt(String::length))
                        .collect(Collectors.joining(", "));
        var indented = names.startsWith("--") ? "    " + names : names;
        return option.arity().max() == 0 ? indented : indented + " " + option.paramLabel();
    }

    private static String description(ArgSpec arg) {
        var said = formatted(String.join(" ", arg.description()));
        var more = new ArrayList<String>();
        choices(arg).ifPresent(all -> more.add("one of " + all));
        defaultValue(arg).ifPresent(value -> more.add("default: " + value));
        if (more.isEmpty() || said.contains("(default") || said.contains("(one of")) {
            return said;
        }
        var isSentence = said.endsWith(".");
        var head = isSentence ? said.substring(0, said.length() - 1) : said;
        return "%s (%s)%s".formatted(head, String.join("; ", more), isSentence ? "." : "");
    }

    private static Optional<String> choices(ArgSpec arg) {
        var candidates = arg.completionCandidates();
        if (candidates == null) {
            return Optional.empty();
        }
        var names = new ArrayList<String>();
        candidates.forEach(names::add);
        return names.size() < 2 ? Optional.empty() : Optional.of(String.join(", ", names));
    }

    private static Optional<String> defaultValue(ArgSpec arg) {
        if (arg.arity().max() == 0) {
            return Optional.empty();
        }
        if (arg.defaultValue() != null) {
            return Optional.of(arg.defaultValue());
        }
        return switch (arg.initialValue()) {
            case Path path when !path.toString().isEmpty() -> Optional.of(path.toString());
            case Number number -> Optional.of(number.toString());
            case String said when !said.isEmpty() -> Optional.of(said);
            case Enum<?> one -> Optional.of(one.toString().toLowerCase(Locale.ROOT));
            case Collection<?> all when !all.isEmpty() ->
                    Optional.of(all.stream().map(String::valueOf).collect(Collectors.joining(",")));
            case null, default -> Optional.empty();
        };
    }

    private static List<Item> exitCodes(Map<String, String> codes) {
        return codes.entrySet().stream()
                .map(code -> new Item(code.getKey().strip(), code.getValue()))
                .toList();
    }

    private void list(String heading, List<Item> items) {
        if (items.isEmpty()) {
            return;
        }
        line("");
        line(palette.paint(Style.HEADING, heading));
        var labels =
                items.stream()
                        .mapToInt(one -> one.label.length())
                        .filter(length -> length <= WIDEST_LABEL)
                        .max()
                        .orElse(WIDEST_LABEL);
        items.forEach(one -> item(one, labels));
    }

    private void item(Item item, int labels) {
        var column = MARGIN.length() + labels + MARGIN.length();
        var lines = TextWrap.lines(item.description, Math.max(1, width - column));
        var first = lines;
        if (item.label.length() > labels) {
            line(MARGIN + palette.paint(Style.HEADING, item.label));
        } else {
            var gap = " ".repeat(labels - item.label.length()) + MARGIN;
            line(MARGIN + palette.paint(Style.HEADING, item.label) + gap + lines.getFirst());
            first = lines.subList(1, lines.size());
        }
        first.forEach(one -> line(" ".repeat(column) + one));
    }

    private void footer(String[] footer) {
        var lines = String.join("\n", footer).strip();
        if (!lines.isEmpty()) {
            line("");
            lines.lines().forEach(one -> line(formatted(heading(one))));
        }
    }

    private String heading(String line) {
        return line.equals("Examples:") || line.equals("Example:")
                ? palette.paint(Style.HEADING, line)
                : line;
    }

    private void line(String line) {
        text.append(line.stripTrailing()).append('\n');
    }
}
