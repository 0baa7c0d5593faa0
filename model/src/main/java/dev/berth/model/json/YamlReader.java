package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.ParserLimits.BrokenText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Parses YAML into trees, one per document, with aliases and merge keys resolved.
///
/// JSON is YAML, so this reads JSON files too; [JsonReader] is faster where the format is known.
public final class YamlReader {

    private static final String STRING_TAG = "tag:yaml.org,2002:str";
    private static final String MERGE_KEY = "<<";

    private final Iterator<Event> events;
    private final Map<String, Node> anchors = new HashMap<>();
    private final List<FieldPath> duplicates = new ArrayList<>();
    private long values;
    private long aliased;
    private int depth;

    /// Maximum depth of the current value, including the content of aliases.
    private int deepest;

    private YamlReader(Iterator<Event> events) {
        this.events = events;
    }

    /// Parses all documents of a text. Empty documents are omitted.
    public static ParseResult read(String text) {
        var documents = new ArrayList<ParsedDocument>();
        return read(text, documents::add)
                .<ParseResult>map(malformed -> malformed)
                .orElseGet(() -> new ParseResult.Documents(documents));
    }

    /// Parses the documents of a text one by one, so that a large text never has all its trees in
    /// memory. Empty documents are omitted.
    ///
    /// @param visit gets the documents before a malformed one, too
    public static Optional<ParseResult.Malformed> read(
            String text, Consumer<ParsedDocument> visit) {
        var settings = LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
        try {
            new YamlReader(new Parse(settings).parseString(text).iterator()).documents(visit);
            return Optional.empty();
        } catch (MarkedYamlEngineException e) {
            return Optional.of(
                    e.getProblemMark()
                            .map(mark ->
                                    malformed(e.getProblem(), mark.getLine(), mark.getColumn()))
                            .orElseGet(() -> malformed(e.getProblem(), 0, 0)));
        } catch (YamlEngineException e) {
            return Optional.of(malformed(String.valueOf(e.getMessage()), 0, 0));
        } catch (IllegalArgumentException e) {
            // The parser passes escapes such as "\x" without digits to Integer.parseInt.
            return Optional.of(malformed("a broken escape in a double-quoted string", 0, 0));
        } catch (BrokenText e) {
            return Optional.of(
                    new ParseResult.Malformed(String.valueOf(e.getMessage()), e.line, e.column));
        }
    }

    private static ParseResult.Malformed malformed(String problem, int line, int column) {
        return new ParseResult.Malformed(problem, line + 1, column + 1);
    }

    private void documents(Consumer<ParsedDocument> visit) {
        while (events.hasNext()) {
            var event = events.next();
            if (event.getEventId() != Event.ID.DocumentStart) {
                continue;
            }
            anchors.clear();
            duplicates.clear();
            var root = node(events.next(), FieldPath.ROOT);
            if (!(root.value instanceof JsonNull)) {
                visit.accept(new ParsedDocument(root.value, root.source, duplicates));
            }
        }
    }

    private Node node(Event event, FieldPath path) {
        if (event instanceof AliasEvent alias) {
            return aliased(alias);
        }
        depth++;
        var deepestOutside = deepest;
        reach(event, depth);
        deepest = depth;
        var before = values;
        count(event, weight(event));
        var plain =
                switch (event) {
                    case ScalarEvent scalar -> new Node(scalar(scalar), place(event), 0, 0);
                    case MappingStartEvent _ -> mapping(path, place(event));
                    case SequenceStartEvent _ -> sequence(path, place(event));
                    default -> throw broken(event, "unexpected " + event.getEventId());
                };
        depth--;
        var node = new Node(plain.value, plain.source, values - before, deepest - depth);
        deepest = Math.max(deepest, deepestOutside);
        ((NodeEvent) event).getAnchor().ifPresent(a -> anchors.put(a.getValue(), node));
        return node;
    }

    private Node aliased(AliasEvent event) {
        var node = anchors.get(event.getAlias().getValue());
        if (node == null) {
            throw broken(event, "alias *" + event.getAlias().getValue() + " has no anchor");
        }
        count(event, node.size);
        aliased += node.size;
        if (aliased > ParserLimits.MAX_ALIASED) {
            throw broken(event, "aliases stand for more than this text may hold");
        }
        reach(event, depth + node.height);
        return new Node(node.value, place(event), node.size, node.height);
    }

    private void reach(Event event, int level) {
        if (level > ParserLimits.MAX_DEPTH) {
            throw broken(event, "nested deeper than " + ParserLimits.MAX_DEPTH + " levels");
        }
        deepest = Math.max(deepest, level);
    }

    private void count(Event event, long more) {
        values += more;
        if (values > ParserLimits.MAX_VALUES) {
            throw broken(event, "more than " + ParserLimits.MAX_VALUES + " values in one text");
        }
    }

    /// A long scalar counts as several values, because each alias repeats it.
    private static int weight(Event event) {
        return event instanceof ScalarEvent scalar
                ? 1 + scalar.getValue().length() / ParserLimits.CHARACTERS_PER_VALUE
                : 1;
    }

    private Json scalar(ScalarEvent scalar) {
        var text = scalar.getValue();
        if (!scalar.isPlain() || scalar.getTag().filter(STRING_TAG::equals).isPresent()) {
            return new JsonString(text);
        }
        return YamlScalars.resolve(text)
                .orElseThrow(() -> broken(scalar, "JSON has no number " + text));
    }

    private Node sequence(FieldPath path, SourceMap source) {
        var items = new ArrayList<Json>();
        for (var event = events.next();
                event.getEventId() != Event.ID.SequenceEnd;
                event = events.next()) {
            var position = items.size();
            var item = node(event, path.index(position));
            items.add(item.value);
            source.put(Integer.toString(position), item.source);
        }
        return new Node(new JsonArray(items), source, 0, 0);
    }

    private Node mapping(FieldPath path, SourceMap source) {
        var members = new LinkedHashMap<String, Json>();
        var merged = new LinkedHashMap<String, Json>();
        for (var event = events.next();
                event.getEventId() != Event.ID.MappingEnd;
                event = events.next()) {
            var isMerge =
                    event instanceof ScalarEvent key
                            && key.isPlain()
                            && key.getValue().equals(MERGE_KEY);
            var name = name(event);
            if (name.length() > ParserLimits.MAX_NAME) {
                throw broken(event, "a name longer than " + ParserLimits.MAX_NAME + " characters");
            }
            var member = node(events.next(), path.child(name));
            if (isMerge) {
                merge(event, member.value, merged);
                continue;
            }
            if (members.put(name, member.value) != null) {
                duplicates.add(path.child(name));
            }
            source.put(name, member.source);
        }
        merged.forEach(members::putIfAbsent);
        return new Node(new JsonObject(members), source, 0, 0);
    }

    /// A key is a string; a number or boolean is converted to its JSON form, as in Kubernetes.
    private String name(Event event) {
        return switch (node(event, FieldPath.ROOT).value) {
            case JsonString(var text) -> text;
            case JsonNumber(var literal) -> literal;
            case JsonBool(var value) -> Boolean.toString(value);
            case JsonNull _ -> "null";
            case JsonArray _ -> throw broken(event, "a list cannot be a key");
            case JsonObject _ -> throw broken(event, "a mapping cannot be a key");
        };
    }

    private void merge(Event event, Json value, Map<String, Json> merged) {
        switch (value) {
            case JsonObject object -> object.members().forEach(merged::putIfAbsent);
            case JsonArray array -> array.items().forEach(item -> merge(event, item, merged));
            default -> throw broken(event, "<< takes a mapping or a list of mappings");
        }
    }

    private static SourceMap place(Event event) {
        return event.getStartMark()
                .map(mark -> new SourceMap(mark.getLine() + 1, mark.getColumn() + 1))
                .orElseGet(() -> new SourceMap(1, 1));
    }

    private static BrokenText broken(Event event, String message) {
        var place = place(event);
        return new BrokenText(message, place.line(), place.column());
    }

    /// A value, its position, and its number of values and levels.
    private record Node(Json value, SourceMap source, long size, int height) {}
}
