package dev.berth.server.registry;

import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorOperator.Known;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Parser of label selectors: of their string form (`app=web,tier in (a,b),!old`), and of fields of
/// objects with `matchLabels` and `matchExpressions`.
public final class LabelSelectorParser {

    private static final String SPECIAL = "(),=!<>";

    private final String text;
    private int at;

    private LabelSelectorParser(String text) {
        this.text = text;
    }

    /// Parses the string form.
    ///
    /// @throws ApiException when it is malformed
    public static LabelSelector parse(String text) {
        return text.isBlank()
                ? LabelSelector.EVERYTHING
                : new LabelSelector(Map.of(), new LabelSelectorParser(text).requirements());
    }

    /// Reads the selector in a field of an object; matches everything if it is empty. An absent
    /// selector matches nothing, which is up to the caller.
    public static LabelSelector read(JsonObject selector) {
        var labels = new LinkedHashMap<String, String>();
        var written = selector.objectOrEmpty("matchLabels");
        for (var key : written.names()) {
            labels.put(key, written.text(key));
        }
        var requirements = new ArrayList<NodeSelectorRequirement>();
        for (var one : selector.objects("matchExpressions")) {
            requirements.add(
                    new NodeSelectorRequirement(
                            one.text("key"),
                            NodeSelectorOperator.setBased(one.text("operator")),
                            one.strings("values")));
        }
        return new LabelSelector(labels, requirements);
    }

    private List<NodeSelectorRequirement> requirements() {
        var found = new ArrayList<NodeSelectorRequirement>();
        do {
            found.add(requirement());
        } while (take(","));
        skipBlanks();
        if (at < text.length()) {
            throw parseError("found '%s', expected ',' or the end".formatted(text.substring(at)));
        }
        return found;
    }

    private NodeSelectorRequirement requirement() {
        if (take("!")) {
            return new NodeSelectorRequirement(word("a label"), Known.DOES_NOT_EXIST, List.of());
        }
        var key = word("a label, '!'");
        if (take("!=")) {
            return new NodeSelectorRequirement(key, Known.NOT_IN, List.of(optionalWord()));
        }
        if (take("==") || take("=")) {
            return new NodeSelectorRequirement(key, Known.IN, List.of(optionalWord()));
        }
        if (take(">")) {
            return new NodeSelectorRequirement(key, Known.GT, List.of(integer()));
        }
        if (take("<")) {
            return new NodeSelectorRequirement(key, Known.LT, List.of(integer()));
        }
        skipBlanks();
        if (at == text.length() || text.charAt(at) == ',') {
            return new NodeSelectorRequirement(key, Known.EXISTS, List.of());
        }
        return switch (word("an operator")) {
            case "in" -> new NodeSelectorRequirement(key, Known.IN, values());
            case "notin" -> new NodeSelectorRequirement(key, Known.NOT_IN, values());
            case String other ->
                    throw parseError(
                            "found '%s', expected: in, notin, =, ==, !=, gt, lt".formatted(other));
        };
    }

    private List<String> values() {
        if (!take("(")) {
            throw parseError("found '%s', expected: '('".formatted(text.substring(at)));
        }
        var values = new TreeSet<String>();
        do {
            values.add(optionalWord());
        } while (take(","));
        if (!take(")")) {
            throw parseError("found '%s', expected: ',' or ')'".formatted(text.substring(at)));
        }
        return List.copyOf(values);
    }

    private String integer() {
        var word = word("an integer");
        try {
            return Long.toString(Long.parseLong(word));
        } catch (NumberFormatException _) {
            throw parseError(
                    "values[0]: Invalid value: \"%s\": for 'Gt', 'Lt' operators, the value must"
                                    .formatted(word)
                            + " be an integer");
        }
    }

    private String word(String expected) {
        var word = optionalWord();
        if (word.isEmpty()) {
            throw parseError("found '%s', expected: %s".formatted(text.substring(at), expected));
        }
        return word;
    }

    private String optionalWord() {
        skipBlanks();
        var start = at;
        while (at < text.length()
                && SPECIAL.indexOf(text.charAt(at)) < 0
                && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean take(String token) {
        skipBlanks();
        if (!text.startsWith(token, at)) {
            return false;
        }
        at += token.length();
        return true;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private static ApiException parseError(String detail) {
        return ApiError.badRequest("unable to parse requirement: " + detail).exception();
    }
}
