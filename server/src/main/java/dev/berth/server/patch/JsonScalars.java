package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.TreeMap;

/// Equality and order of JSON values by numeric value: `1` equals `1.0`.
final class JsonScalars {

    /// Maximum length of an integer that is surely canonical.
    private static final int MAX_PLAIN_DIGITS = 18;

    private static final long UNBOUNDED = Integer.MAX_VALUE;

    private JsonScalars() {}

    /// Total length of all names and values.
    static long length(JsonObject object) {
        var length = 0L;
        for (var at = 0; at < object.size(); at++) {
            length += object.nameAt(at).length() + length(object.valueAt(at));
        }
        return length;
    }

    static long length(Json value) {
        return switch (value) {
            case JsonString(var text) -> text.length();
            case JsonNumber(var literal) -> literal.length();
            case JsonBool _, JsonNull _ -> 1;
            case JsonObject _, JsonArray _ -> UNBOUNDED;
        };
    }

    static boolean same(Json a, Json b) {
        return switch (a) {
            case JsonObject left ->
                    b instanceof JsonObject right
                            && left.size() == right.size()
                            && sameMembers(left, right);
            case JsonArray(var left) -> {
                if (!(b instanceof JsonArray(var right)) || left.size() != right.size()) {
                    yield false;
                }
                for (var i = 0; i < left.size(); i++) {
                    if (!same(left.get(i), right.get(i))) {
                        yield false;
                    }
                }
                yield true;
            }
            case JsonNumber left ->
                    b instanceof JsonNumber right && canonical(left).equals(canonical(right));
            case JsonString _, JsonBool _, JsonNull _ -> a.equals(b);
        };
    }

    private static boolean sameMembers(JsonObject a, JsonObject b) {
        for (var at = 0; at < a.size(); at++) {
            var value = b.members().get(a.nameAt(at));
            if (value == null || !same(a.valueAt(at), value)) {
                return false;
            }
        }
        return true;
    }

    /// Canonical literal of a number; other values are returned unchanged.
    static Json canonical(Json value) {
        return value instanceof JsonNumber number && !isPlainInteger(number.literal())
                ? number.decimal()
                        .<Json>map(
                                decimal -> new JsonNumber(plainText(decimal.stripTrailingZeros())))
                        .orElse(number)
                : value;
    }

    /// True for a literal that is canonical already.
    private static boolean isPlainInteger(String literal) {
        for (var at = 0; at < literal.length(); at++) {
            var c = literal.charAt(at);
            if (c < (at == 0 && literal.length() > 1 ? '1' : '0') || c > '9') {
                return false;
            }
        }
        return !literal.isEmpty() && literal.length() <= MAX_PLAIN_DIGITS;
    }

    private static String plainText(BigDecimal decimal) {
        return decimal.signum() == 0 ? "0" : decimal.toPlainString();
    }

    /// Order of types: numbers, strings, booleans, lists, objects, null.
    static int compare(Json a, Json b) {
        if (rank(a) != rank(b)) {
            return Integer.compare(rank(a), rank(b));
        }
        return switch (a) {
            case JsonNumber left -> compareNumbers(left, (JsonNumber) b);
            case JsonString(var left) -> compareText(left, ((JsonString) b).value());
            case JsonBool(var left) -> Boolean.compare(left, ((JsonBool) b).value());
            case JsonArray(var left) -> compareLists(left, ((JsonArray) b).items());
            case JsonObject left -> compareObjects(left, (JsonObject) b);
            case JsonNull _ -> 0;
        };
    }

    private static int rank(Json value) {
        return switch (value) {
            case JsonNumber _ -> 0;
            case JsonString _ -> 1;
            case JsonBool _ -> 2;
            case JsonArray _ -> 3;
            case JsonObject _ -> 4;
            case JsonNull _ -> 5;
        };
    }

    private static int compareNumbers(JsonNumber a, JsonNumber b) {
        var left = a.decimal();
        var right = b.decimal();
        if (left.isPresent() && right.isPresent()) {
            return left.get().compareTo(right.get());
        }
        // Numbers beyond the range of decimals come last, ordered by literal.
        return left.isPresent() == right.isPresent()
                ? a.literal().compareTo(b.literal())
                : Boolean.compare(left.isEmpty(), right.isEmpty());
    }

    /// Compares by code point, which is the order of UTF-8; Java's own order differs beyond the
    /// BMP.
    static int compareText(String a, String b) {
        var length = Math.min(a.length(), b.length());
        for (var i = 0; i < length; i++) {
            var left = a.charAt(i);
            var right = b.charAt(i);
            if (left != right) {
                var wide = Character.isSurrogate(left);
                return wide == Character.isSurrogate(right)
                        ? Character.compare(left, right)
                        : Boolean.compare(wide, Character.isSurrogate(right));
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    private static int compareLists(List<Json> a, List<Json> b) {
        for (var i = 0; i < Math.min(a.size(), b.size()); i++) {
            var order = compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    static int compareObjects(JsonObject a, JsonObject b) {
        var left = sorted(a);
        var right = sorted(b);
        for (var at = 0; at < Math.min(left.size(), right.size()); at++) {
            var order = compareText(left.nameAt(at), right.nameAt(at));
            order = order != 0 ? order : compare(left.valueAt(at), right.valueAt(at));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    /// Sorted by name, with canonical numbers.
    static JsonObject canonicalKey(JsonObject key) {
        var sorted = sorted(key);
        for (var at = 0; at < sorted.size(); at++) {
            // `with` copies nothing if the value is unchanged, and keeps the position of the name.
            sorted = sorted.with(sorted.nameAt(at), canonical(sorted.valueAt(at)));
        }
        return sorted;
    }

    /// Sorted by name; most objects have only one.
    private static JsonObject sorted(JsonObject object) {
        for (var at = 1; at < object.size(); at++) {
            if (compareText(object.nameAt(at - 1), object.nameAt(at)) > 0) {
                var members = new TreeMap<String, Json>(JsonScalars::compareText);
                members.putAll(object.members());
                return new JsonObject(members);
            }
        }
        return object;
    }
}
