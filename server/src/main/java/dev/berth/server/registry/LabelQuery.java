package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A label selector in its string form: `app=web,tier in (a,b),!old`.
public final class LabelQuery {

    /// Matches every object.
    public static final LabelQuery EVERYTHING = new LabelQuery(List.of());

    private enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        ABSENT,
        GREATER,
        LESS
    }

    private record Requirement(String key, Operator operator, Set<String> values) {

        boolean holds(JsonObject labels) {
            var value = labels.string(key);
            return switch (operator) {
                case EXISTS -> value.isPresent();
                case ABSENT -> value.isEmpty();
                case IN -> value.filter(values::contains).isPresent();
                case NOT_IN -> value.filter(values::contains).isEmpty();
                case GREATER -> compare(value).filter(sign -> sign > 0).isPresent();
                case LESS -> compare(value).filter(sign -> sign < 0).isPresent();
            };
        }

        private Optional<Integer> compare(Optional<String> value) {
            try {
                return value.map(text ->
                        Long.compare(
                                Long.parseLong(text), Long.parseLong(values.iterator().next())));
            } catch (NumberFormatException _) {
                return Optional.empty();
            }
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
                return new Requirement(word("a label"), Operator.ABSENT, Set.of());
            }
            var key = word("a label, '!'");
            if (take("!=")) {
                return new Requirement(key, Operator.NOT_IN, Set.of(optionalWord()));
            }
            if (take("==") || take("=")) {
                return new Requirement(key, Operator.IN, Set.of(optionalWord()));
            }
            if (take(">")) {
                return new Requirement(key, Operator.GREATER, Set.of(integer()));
            }
            if (take("<")) {
                return new Requirement(key, Operator.LESS, Set.of(integer()));
            }
            skipBlanks();
            if (at == text.length() || text.charAt(at) == ',') {
                return new Requirement(key, Operator.EXISTS, Set.of());
            }
            return switch (word("an operator")) {
                case "in" -> new Requirement(key, Operator.IN, set());
                case "notin" -> new Requirement(key, Operator.NOT_IN, set());
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
