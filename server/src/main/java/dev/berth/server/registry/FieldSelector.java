package dev.berth.server.registry;

import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// Selects objects by the fields that their kind supports in field selectors: `spec.nodeName=a`.
public final class FieldSelector {

    /// Matches every object.
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    private record Term(String field, String value, boolean equal) {}

    private final List<Term> terms;

    private FieldSelector(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /// Parses a selector for objects of a kind.
    ///
    /// @throws ApiException when it is malformed or names an unsupported field
    public static FieldSelector parse(Resource resource, String text) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        var terms = new ArrayList<Term>();
        for (var part : split(text)) {
            if (!part.isEmpty()) {
                terms.add(term(resource, part));
            }
        }
        return new FieldSelector(terms);
    }

    private static Term term(Resource resource, String part) {
        for (var operator : List.of("!=", "==", "=")) {
            var at = part.indexOf(operator);
            if (at >= 0) {
                var field = part.substring(0, at);
                if (!isKnown(resource, field)) {
                    throw ApiError.badRequest("field label not supported: " + field).exception();
                }
                var value = unescaped(part.substring(at + operator.length()));
                return new Term(field, value, !operator.equals("!="));
            }
        }
        throw ApiError.badRequest(
                        "invalid selector: '%s'; can't understand '%s'".formatted(part, part))
                .exception();
    }

    private static boolean isKnown(Resource resource, String field) {
        return field.equals("metadata.name")
                || (field.equals("metadata.namespace") && resource.isNamespaced())
                || resource.selectable().containsKey(field);
    }

    private static List<String> split(String text) {
        var parts = new ArrayList<String>();
        var part = new StringBuilder();
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                part.append(c).append(text.charAt(++i));
            } else if (c == ',') {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }

    private static String unescaped(String value) {
        var text = new StringBuilder();
        for (var i = 0; i < value.length(); i++) {
            var c = value.charAt(i);
            text.append(c == '\\' && i + 1 < value.length() ? value.charAt(++i) : c);
        }
        return text.toString();
    }

    public boolean isEverything() {
        return terms.isEmpty();
    }

    /// True if an object of that kind matches.
    public boolean matches(Resource resource, JsonObject object) {
        for (var term : terms) {
            if (valueOf(resource, term.field, object).equals(term.value) != term.equal) {
                return false;
            }
        }
        return true;
    }

    private static String valueOf(Resource resource, String field, JsonObject object) {
        return switch (field) {
            case "metadata.name" -> Metadata.name(object);
            case "metadata.namespace" -> Metadata.of(object).text(Metadata.NAMESPACE);
            default -> {
                var read = resource.selectable().get(field);
                yield read == null ? "" : read.apply(object);
            }
        };
    }
}
