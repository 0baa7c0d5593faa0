import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// Draws commands and their output as an SVG picture of a terminal: `OUT.svg COMMAND…`. Each
/// command runs on a pseudo-terminal of 100 columns, so that it prints colours.
final class TerminalSvg {

    private static final int COLUMNS = 100;
    private static final double CHARACTER = 8.4;
    private static final int LINE = 19;
    private static final int MARGIN = 16;

    private static final String BACKGROUND = "#0d1117";
    private static final String FOREGROUND = "#d6dde6";
    private static final String PROMPT = "#7ee787";
    private static final Map<Integer, String> COLOURS =
            Map.ofEntries(
                    Map.entry(31, "#ff7b72"),
                    Map.entry(32, "#7ee787"),
                    Map.entry(33, "#e3b341"),
                    Map.entry(34, "#79c0ff"),
                    Map.entry(35, "#d2a8ff"),
                    Map.entry(36, "#76e3ea"),
                    Map.entry(90, "#8b949e"),
                    Map.entry(91, "#ffa198"),
                    Map.entry(92, "#7ee787"),
                    Map.entry(93, "#f2cc60"));

    private static final Pattern STYLE = Pattern.compile("\u001b\\[([0-9;]*)m");
    private static final Pattern OTHER_CONTROL =
            Pattern.compile("\u001b\\[[0-9;?]*[A-Za-ln-z]|\u001b\\][^\u0007]*\u0007|\r|\u0004|\b");

    /// Text in one style.
    private record Span(String text, String colour, boolean isBold) {}

    private final List<List<Span>> lines = new ArrayList<>();

    private TerminalSvg() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 2) {
            System.err.println("terminal-svg: OUT.svg and a command are needed");
            System.exit(2);
        }
        var picture = new TerminalSvg();
        for (var i = 1; i < arguments.length; i++) {
            picture.addCommand(arguments[i]);
        }
        var file = Path.of(arguments[0]);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, picture.svg());
    }

    private void addCommand(String command) throws IOException, InterruptedException {
        if (!lines.isEmpty()) {
            lines.add(List.of());
        }
        lines.add(List.of(new Span("$ ", PROMPT, true), new Span(command, FOREGROUND, true)));
        var process =
                new ProcessBuilder("script", "-qec", "stty cols 100; " + command, "/dev/null")
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectErrorStream(true);
        process.environment().put("COLUMNS", String.valueOf(COLUMNS));
        process.environment().put("TERM", "xterm-256color");
        process.environment().remove("NO_COLOR");
        var running = process.start();
        var output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        running.waitFor();
        OTHER_CONTROL.matcher(output).replaceAll("").stripTrailing().lines().forEach(this::addLine);
    }

    /// Adds a line, wrapped at the last column as terminals do.
    private void addLine(String line) {
        var spans = new ArrayList<Span>();
        var colour = FOREGROUND;
        var isBold = false;
        var style = STYLE.matcher(line);
        var from = 0;
        while (style.find()) {
            spans.add(new Span(line.substring(from, style.start()), colour, isBold));
            from = style.end();
            for (var code : style.group(1).split(";")) {
                var number = code.isEmpty() ? 0 : Integer.parseInt(code);
                colour =
                        number == 0 || number == 39
                                ? FOREGROUND
                                : COLOURS.getOrDefault(number, colour);
                isBold = number == 1 || (isBold && number != 0 && number != 22);
            }
        }
        spans.add(new Span(line.substring(from), colour, isBold));
        wrap(spans);
    }

    private void wrap(List<Span> spans) {
        var current = new ArrayList<Span>();
        var used = 0;
        for (var span : spans) {
            var rest = span.text();
            while (used + rest.length() > COLUMNS) {
                var room = COLUMNS - used;
                current.add(new Span(rest.substring(0, room), span.colour(), span.isBold()));
                lines.add(current);
                current = new ArrayList<>();
                rest = rest.substring(room);
                used = 0;
            }
            current.add(new Span(rest, span.colour(), span.isBold()));
            used += rest.length();
        }
        lines.add(current);
    }

    private String svg() {
        var width = (int) Math.ceil(COLUMNS * CHARACTER) + 2 * MARGIN;
        var height = lines.size() * LINE + 2 * MARGIN;
        var text = new StringBuilder();
        text.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">
                <rect width="100%%" height="100%%" rx="8" fill="%s"/>
                <g font-size="14" font-family="ui-monospace, Menlo, Consolas, monospace">
                """
                        .formatted(width, height, BACKGROUND));
        for (var i = 0; i < lines.size(); i++) {
            var column = 0;
            for (var span : lines.get(i)) {
                text.append(element(span, column, MARGIN + (i + 1) * LINE - 5));
                column += span.text().length();
            }
        }
        return text.append("</g>\n</svg>\n").toString();
    }

    private static String element(Span span, int column, int y) {
        if (span.text().isBlank()) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" fill=\"%s\"%s textLength=\"%.1f\""
                        + " xml:space=\"preserve\">%s</text>%n",
                MARGIN + column * CHARACTER,
                y,
                span.colour(),
                span.isBold() ? " font-weight=\"bold\"" : "",
                span.text().length() * CHARACTER,
                escaped(span.text()));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
