package dev.berth.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Patching;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Parser of one type, such as `[Port by port protocol patch port]`. See [SchemaReader].
final class SchemaTypeReader {

    private static final Map<String, Scalar> SCALARS =
            Map.ofEntries(
                    Map.entry("string", Scalar.STRING),
                    Map.entry("bool", Scalar.BOOLEAN),
                    Map.entry("int32", Scalar.INT32),
                    Map.entry("int64", Scalar.INT64),
                    Map.entry("number", Scalar.NUMBER),
                    Map.entry("bytes", Scalar.BYTES),
                    Map.entry("time", Scalar.TIME),
                    Map.entry("microtime", Scalar.MICRO_TIME),
                    Map.entry("duration", Scalar.DURATION),
                    Map.entry("quantity", Scalar.QUANTITY),
                    Map.entry("intOrString", Scalar.INT_OR_STRING),
                    Map.entry("any", Scalar.ANY));

    /// Keywords of lists, which cannot be keys.
    private static final Set<String> LIST_WORDS = Set.of("by", "set", "patch", "retain");

    private final String text;
    private final Function<String, Struct> structs;
    private int at;
    private Patching patching = Patching.MERGE;

    SchemaTypeReader(String text, Function<String, Struct> structs) {
        this.text = text;
        this.structs = structs;
    }

    SchemaType type() {
        var type = part();
        while (at < text.length() && text.charAt(at) != '=' && text.charAt(at) != '(') {
            type = flagged(type, word());
        }
        return type;
    }

    /// The constraints in parentheses; call after [#type].
    FieldConstraints constraints() {
        if (at >= text.length() || text.charAt(at) != '(') {
            return FieldConstraints.NONE;
        }
        var end = text.indexOf(')', at);
        if (end < 0) {
            throw malformed("no closing )");
        }
        var constraints = FieldConstraints.read(text.substring(at + 1, end));
        at = end + 1;
        skipSpaces();
        return constraints;
    }

    /// The default value after `=`; call after [#constraints].
    Optional<Json> initial() {
        if (at >= text.length()) {
            return Optional.empty();
        }
        if (JsonReader.read(text.substring(at + 1))
                instanceof ParseResult.Documents(var documents)) {
            return Optional.of(documents.getFirst().root());
        }
        throw malformed("no JSON after =");
    }

    /// The strategy of strategic merge patches; call after [#type].
    Patching patching() {
        return patching;
    }

    private SchemaType flagged(SchemaType type, String flag) {
        if (!(type instanceof Struct(var name, var description, var fields, _, var open))) {
            throw malformed("only named types have flags");
        }
        return switch (flag) {
            case "atomic" -> new Struct(name, description, fields, true, open);
            case "granular" -> new Struct(name, description, fields, false, open);
            case "retain" -> {
                patching = Patching.RETAIN_KEYS;
                yield type;
            }
            case "replace" -> {
                patching = Patching.REPLACE;
                yield type;
            }
            default -> throw malformed("unknown flag " + flag);
        };
    }

    private SchemaType part() {
        return switch (text.charAt(at)) {
            case '[' -> {
                at++;
                var item = part();
                yield list(item, words(']'));
            }
            case '{' -> {
                at++;
                var value = part();
                yield new MapOf(value, words('}').equals(List.of("atomic")));
            }
            default -> named(word());
        };
    }

    private SchemaType named(String word) {
        var scalar = SCALARS.get(word);
        return scalar == null ? structs.apply(word) : scalar;
    }

    private SchemaType list(SchemaType item, List<String> words) {
        Merge merge = new Merge.Atomic();
        var patchMerges = false;
        var patchKey = "";
        var next = 0;
        while (next < words.size()) {
            switch (words.get(next++)) {
                case "set" -> merge = new Merge.AsSet();
                case "by" -> {
                    var from = next;
                    while (next < words.size() && !LIST_WORDS.contains(words.get(next))) {
                        next++;
                    }
                    merge = new Merge.ByKeys(words.subList(from, next));
                }
                case "patch" -> {
                    patchMerges = true;
                    if (next < words.size() && !LIST_WORDS.contains(words.get(next))) {
                        patchKey = words.get(next++);
                    }
                }
                case "retain" -> {}
                default -> throw new IllegalArgumentException("unknown word in list: " + text);
            }
        }
        return new ListOf(item, merge, patchMerges, patchKey, words.contains("retain"));
    }

    private String word() {
        var from = at;
        while (at < text.length() && " ]}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        var word = text.substring(from, at);
        if (word.isEmpty()) {
            throw malformed("missing word");
        }
        skipSpaces();
        return word;
    }

    private List<String> words(char end) {
        var words = new ArrayList<String>();
        skipSpaces();
        while (at < text.length() && text.charAt(at) != end) {
            words.add(word());
        }
        if (at == text.length()) {
            throw malformed("no closing " + end);
        }
        at++;
        skipSpaces();
        return words;
    }

    private void skipSpaces() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private IllegalArgumentException malformed(String why) {
        return new IllegalArgumentException(why + " in \"" + text + "\" at " + at);
    }
}
