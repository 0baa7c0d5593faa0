package dev.berth.schema;

import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.ServedKind.Column;
import dev.berth.schema.ServedKind.Flag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Parser of the lines of a kind that begin with `@`. See [SchemaReader].
final class ServedKindReader {

    private static final String AGE = "{.metadata.creationTimestamp|age}";

    private String plural = "";
    private final Set<Flag> flags = EnumSet.noneOf(Flag.class);
    private List<String> verbs = List.of();
    private List<String> shortNames = List.of();
    private List<String> categories = List.of();
    private List<String> selectable = List.of();
    private String nameFormat = "dns-subdomain";
    private String storedOnly = "";
    private String nameCell = "{.metadata.name}";
    private final List<Column> columns = new ArrayList<>();
    private final List<FieldUnion> unions = new ArrayList<>();
    private final String kind;

    private ServedKindReader(String kind) {
        this.kind = kind;
    }

    static ServedKindReader read(String kind, List<String> lines) {
        var reader = new ServedKindReader(kind);
        for (var line : lines) {
            if (isServed(line)) {
                reader.line(line.strip());
            }
        }
        return reader;
    }

    static boolean isServed(String line) {
        return line.stripLeading().startsWith("@");
    }

    List<FieldUnion> unions() {
        return List.copyOf(unions);
    }

    /// The served kind; empty without `@served`.
    Optional<ServedKind> served(String group, List<String> versions, Struct struct) {
        return plural.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ServedKind(
                                group,
                                versions,
                                kind,
                                struct,
                                plural,
                                flags,
                                verbs,
                                shortNames,
                                categories,
                                nameFormat,
                                storedOnly,
                                nameCell,
                                columns,
                                selectable));
    }

    private void line(String line) {
        var space = line.indexOf(' ');
        var word = space < 0 ? line : line.substring(0, space);
        var rest = space < 0 ? "" : line.substring(space + 1);
        var words = List.of(rest.split(" ", -1));
        switch (word) {
            case "@served" -> {
                plural = words.getFirst();
                words.stream().skip(1).map(ServedKindReader::flag).forEach(flags::add);
            }
            case "@verbs" -> verbs = words;
            case "@short" -> shortNames = words;
            case "@categories" -> categories = words;
            case "@select" -> selectable = words;
            case "@name" -> nameFormat = rest;
            case "@name-column" -> nameCell = rest;
            case "@stored" ->
                    storedOnly = rest.isEmpty() ? ServedKind.storedOnlyWarning(kind) : rest;
            case "@column" -> column(rest, false);
            case "@wide" -> column(rest, true);
            case "@age" ->
                    columns.add(new Column("Age", "string", AGE, "Time since creation", false));
            case "@one-of" -> unions.add(new FieldUnion(words, true));
            case "@any-of" -> unions.add(new FieldUnion(words, false));
            default -> throw new IllegalArgumentException("unknown annotation: " + line);
        }
    }

    private static Flag flag(String word) {
        return Flag.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /// `Label type template : description`; a label of several words is quoted.
    private void column(String text, boolean wide) {
        var parts = SchemaReader.splitDescription(text);
        var quoted = parts[0].startsWith("\"");
        var end = quoted ? parts[0].indexOf('"', 1) : parts[0].indexOf(' ');
        var label = parts[0].substring(quoted ? 1 : 0, end);
        var rest = parts[0].substring(end + (quoted ? 2 : 1));
        var space = rest.indexOf(' ');
        columns.add(
                new Column(
                        label,
                        rest.substring(0, space),
                        rest.substring(space + 1),
                        parts[1],
                        wide));
    }
}
