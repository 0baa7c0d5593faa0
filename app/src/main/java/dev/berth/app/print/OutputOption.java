package dev.berth.app.print;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option `-o`, for every command that prints a result.
public final class OutputOption {

    /// The former name of the format `text`, accepted with a warning until the next version.
    private static final String FORMER_TEXT = "table";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /// Text without limits on its length.
    private static final String WIDE = "wide";

    private final boolean allowsWide;
    private OutputFormat output = OutputFormat.TEXT;
    private boolean isWide;

    public OutputOption() {
        this(false);
    }

    private OutputOption(boolean allowsWide) {
        this.allowsWide = allowsWide;
    }

    /// The option of a command that also has `-o wide`.
    public static OutputOption withWide() {
        return new OutputOption(true);
    }

    static final class Formats implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return names().iterator();
        }
    }

    private static List<String> names() {
        return Arrays.stream(OutputFormat.values()).map(OutputFormat::toString).toList();
    }

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            paramLabel = "FORMAT",
            completionCandidates = Formats.class,
            description = "Output format.")
    void format(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals(FORMER_TEXT)) {
            FormerOption.warn(command, "-o table", "-o text");
            output = OutputFormat.TEXT;
            return;
        }
        isWide = allowsWide && lower.equals(WIDE);
        if (isWide) {
            output = OutputFormat.TEXT;
            return;
        }
        output =
                Arrays.stream(OutputFormat.values())
                        .filter(one -> one.toString().equals(lower))
                        .findFirst()
                        .orElseThrow(() ->
                                new ParameterException(
                                        command.commandLine(),
                                        "-o: \"%s\" is not one of %s"
                                                .formatted(name, String.join(", ", allowed()))));
    }

    private List<String> allowed() {
        var allowed = new ArrayList<>(names());
        if (allowsWide) {
            allowed.add(1, WIDE);
        }
        return allowed;
    }

    /// True for `-o wide`, which is text in full length.
    public boolean isWide() {
        return isWide;
    }

    public OutputFormat format() {
        return output;
    }

    /// A writer of a large result in JSON or YAML.
    public StructuredWriter structured(PrintWriter out) {
        return new StructuredWriter(out, output == OutputFormat.JSON);
    }

    /// The result in the chosen format.
    public String render(Supplier<String> text, Supplier<? extends Json> tree) {
        return switch (output) {
            case TEXT -> text.get();
            case JSON -> JsonWriter.pretty(tree.get());
            case YAML -> YamlWriter.write(tree.get());
        };
    }
}
