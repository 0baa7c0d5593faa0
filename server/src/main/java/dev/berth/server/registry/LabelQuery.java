package dev.berth.server.registry;

import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorOperator.Known;
import dev.berth.model.api.selector.NodeSelectorOperator.Unrecognised;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A label selector, read from its string form (`app=web,tier in (a,b),!old`) or from the field of
/// an object with `matchLabels` and `matchExpressions`, to be matched with labels of objects as
/// trees.
public final class LabelQuery {

    /// Matches every object.
    public static final LabelQuery EVERYTHING = new LabelQuery(List.of());

    private record Requirement(
            String key, NodeSelectorOperator operator, Collection<String> values) {

        boolean holds(JsonObject labels) {
            return operator.matches(labels.string(key), values);
        }
    }

    private final List<Requirement> requirements;

    private LabelQuery(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    /// Parses a selector.
    ///
    /// @throws ApiException when it is malformed
    public static LabelQuery parse(String text) {
        return text.isBlank() ? EVERYTHING : new LabelQuery(new Parser(text).requirements());
    }

    /// The selector in a field of an object; matches everything if it is empty. An absent selector
    /// matches nothing, which is up to the caller.
    public static LabelQuery of(JsonObject selector) {
        var requirements = new ArrayList<Requirement>();
        var labels = selector.objectOrEmpty("matchLabels");
        for (var key : labels.names()) {
            requirements.add(new Requirement(key, Known.IN, Set.of(labels.text(key))));
        }
        for (var one : selector.objects("matchExpressions")) {
            var operator = NodeSelectorOperator.of(one.text("operator"));
            requirements.add(
                    new Requirement(
                            one.text("key"),
                            operator.isSetBased() ? operator : new Unrecognised(operator.text()),
                            one.strings("values")));
        }
        return new LabelQuery(requirements);
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }

    /// True if an object with these labels matches.
    public boolean matches(JsonObject labels) {
        for (var requirement : requirements) {
            if (!requirement.holds(labels)) {
                return false;
            }
        }
        return true;
    }

    private static final class Parser {
        private static final String SPECIAL = "(),=!<>";
        private final String text;
        private int at;

        private Parser(String text) {
            this.text = text;
        }

        private List<Requirement> requirements() {
            var found = new ArrayList<Requirement>();
            do {
                found.add(requirement());
            } while (take(","));
            skipBlanks();
            if (at < text.length()) {
                throw parseError(
                        "found '%s', expected ',' or the end".formatted(text.substring(at)));
            }
            return found;
        }

        private Requirement requirement() {
            if (take("!")) {
                return new Requirement(word("a label"), Known.DOES_NOT_EXIST, Set.of());
            }
            var key = word("a label, '!'");
            if (take("!=")) {
                return new Requirement(key, Known.NOT_IN, Set.of(optionalWord()));
            }
            if (take("==") || take("=")) {
                return new Requirement(key, Known.IN, Set.of(optionalWord()));
            }
            if (take(">")) {
                return new Requirement(key, Known.GT, Set.of(integer()));
            }
            if (take("<")) {
                return new Requirement(key, Known.LT, Set.of(integer()));
            }
            skipBlanks();
            if (at == text.length() || text.charAt(at) == ',') {
                return new Requirement(key, Known.EXISTS, Set.of());
            }
            return switch (word("an operator")) {
                case "in" -> new Requirement(key, Known.IN, set());
                case "notin" -> new Requirement(key, Known.NOT_IN, set());
                case String other ->
                        throw parseError(
                                "found '%s', expected: in, notin, =, ==, !=, gt, lt"
                                        .formatted(other));
            };
        }

        private Set<String> set() {
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
            return values;
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
                throw parseError(
                        "found '%s', expected: %s".formatted(text.substring(at), expected));
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
}
