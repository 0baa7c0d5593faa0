package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Writes a tree as JSON: on one line, or indented for people.
public final class JsonWriter {

    private static final String INDENT = "  ";

    /// Most objects fit.
    private static final int USUAL_LENGTH = 2_048;

    private final StringBuilder text = new StringBuilder(USUAL_LENGTH);
    private final boolean indented;

    private JsonWriter(boolean indented) {
        this.indented = indented;
    }

    public static String compact(Json value) {
        return written(value, false);
    }

    /// The compact text in UTF-8.
    public static byte[] bytes(Json value) {
        return compact(value).getBytes(StandardCharsets.UTF_8);
    }

    public static String pretty(Json value) {
        return written(value, true) + "\n";
    }

    private static String written(Json value, boolean indented) {
        var writer = new JsonWriter(indented);
        writer.value(value, 0);
        return writer.text.toString();
    }

    private void value(Json value, int level) {
        switch (value) {
            case JsonObject object -> object(object, level);
            case JsonArray array -> array(array, level);
            case JsonString(var string) -> quote(string, text);
            case JsonNumber(var literal) -> text.append(literal);
            case JsonBool(var flag) -> text.append(flag);
            case JsonNull _ -> text.append("null");
        }
    }

    private void object(JsonObject object, int level) {
        text.append('{');
        for (var at = 0; at < object.size(); at++) {
            separate(at == 0, level + 1);
            quote(object.nameAt(at), text);
            text.append(indented ? ": " : ":");
            value(object.valueAt(at), level + 1);
        }
        close(object.isEmpty(), level, '}');
    }

    private void array(JsonArray array, int level) {
        text.append('[');
        var items = array.items();
        for (var at = 0; at < items.size(); at++) {
            separate(at == 0, level + 1);
            value(items.get(at), level + 1);
        }
        close(items.isEmpty(), level, ']');
    }

    private void separate(boolean first, int level) {
        if (!first) {
            text.append(',');
        }
        newLine(level);
    }

    private void close(boolean empty, int level, char bracket) {
        if (!empty) {
            newLine(level);
        }
        text.append(bracket);
    }

    private void newLine(int level) {
        if (indented) {
            text.append('\n').repeat(INDENT, level);
        }
    }

    /// Appends a string in double quotes, escaped as both JSON and YAML understand it.
    static void quote(String string, StringBuilder text) {
        if (isPlain(string)) {
            text.append('"').append(string).append('"');
            return;
        }
        text.append('"');
        for (var i = 0; i < string.length(); i++) {
            var c = string.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (mustEscape(string, i)) {
                        text.append("\\u").append(HexFormat.of().toHexDigits(c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    /// True for what nearly all strings are: letters, digits and such, of which none is escaped.
    private static boolean isPlain(String string) {
        for (var i = 0; i < string.length(); i++) {
            var c = string.charAt(i);
            if (c < ' ' || c >= 0x7f || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /// Control characters, YAML's line breaks and half surrogate pairs cannot stand as they are.
    private static boolean mustEscape(String string, int at) {
        var c = string.charAt(at);
        if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
            return true;
        }
        if (Character.isHighSurrogate(c)) {
            return at + 1 == string.length() || !Character.isLowSurrogate(string.charAt(at + 1));
        }
        return Character.isLowSurrogate(c)
                && (at == 0 || !Character.isHighSurrogate(string.charAt(at - 1)));
    }
}
