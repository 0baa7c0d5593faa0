package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// Writes a tree as JSON: compact, or indented.
public final class JsonWriter {

    private static final String INDENT = "  ";

    private final boolean indented;
    private byte[] text;
    private int length;

    private JsonWriter(boolean indented, int expectedLength) {
        this.indented = indented;
        this.text = new byte[expectedLength];
    }

    public static String compact(Json value) {
        return written(value, false).string();
    }

    /// The compact text in UTF-8.
    public static byte[] bytes(Json value) {
        var writer = written(value, false);
        return writer.length == writer.text.length
                ? writer.text
                : Arrays.copyOf(writer.text, writer.length);
    }

    public static String pretty(Json value) {
        return written(value, true).string() + "\n";
    }

    /// Caches the compact text of an object that is part of many others.
    public static void keepText(JsonObject object) {
        if (!object.isEmpty() && !(object.memo() instanceof Kept)) {
            object.remember(new Kept(bytes(object)));
        }
    }

    /// Cached text of an object that is written often.
    private static final class Kept {
        private final byte[] text;

        private Kept(byte[] text) {
            this.text = text;
        }
    }

    private static JsonWriter written(Json value, boolean indented) {
        var writer = new JsonWriter(indented, compactLength(value));
        writer.value(value, 0);
        return writer;
    }

    /// Length of the compact text, except for strings with escapes other than quotes or with
    /// multi-byte characters, which cost a copy. Counting is cheaper than growing a buffer.
    private static int compactLength(Json value) {
        return switch (value) {
            case JsonObject object -> {
                var sum = object.isEmpty() ? 2 : 1 + 2 * object.size();
                for (var at = 0; at < object.size(); at++) {
                    sum += quotedLength(object.nameAt(at)) + compactLength(object.valueAt(at));
                }
                yield sum;
            }
            case JsonArray(var items) -> {
                var sum = items.isEmpty() ? 2 : 1 + items.size();
                for (var at = 0; at < items.size(); at++) {
                    sum += compactLength(items.get(at));
                }
                yield sum;
            }
            case JsonString(var string) -> quotedLength(string);
            case JsonNumber(var literal) -> literal.length();
            case JsonBool(var flag) -> flag ? "true".length() : "false".length();
            case JsonNull _ -> "null".length();
        };
    }

    private static int quotedLength(String string) {
        var sum = 2 + string.length();
        for (var at = string.indexOf('"'); at >= 0; at = string.indexOf('"', at + 1)) {
            sum++;
        }
        return sum;
    }

    private String string() {
        return new String(text, 0, length, StandardCharsets.UTF_8);
    }

    private void value(Json value, int level) {
        switch (value) {
            case JsonObject object -> object(object, level);
            case JsonArray array -> array(array, level);
            case JsonString(var string) -> string(string);
            case JsonNumber(var literal) -> append(literal);
            case JsonBool(var flag) -> append(flag ? "true" : "false");
            case JsonNull _ -> append("null");
        }
    }

    private void object(JsonObject object, int level) {
        if (!indented && object.memo() instanceof Kept kept) {
            append(kept.text);
            return;
        }
        append('{');
        for (var at = 0; at < object.size(); at++) {
            separate(at == 0, level + 1);
            string(object.nameAt(at));
            append(':');
            if (indented) {
                append(' ');
            }
            value(object.valueAt(at), level + 1);
        }
        close(object.isEmpty(), level, '}');
    }

    private void array(JsonArray array, int level) {
        append('[');
        var items = array.items();
        for (var at = 0; at < items.size(); at++) {
            separate(at == 0, level + 1);
            value(items.get(at), level + 1);
        }
        close(items.isEmpty(), level, ']');
    }

    private void separate(boolean first, int level) {
        if (!first) {
            append(',');
        }
        newLine(level);
    }

    private void close(boolean empty, int level, char bracket) {
        if (!empty) {
            newLine(level);
        }
        append(bracket);
    }

    private void newLine(int level) {
        if (indented) {
            append('\n');
            for (var i = 0; i < level; i++) {
                append(INDENT);
            }
        }
    }

    /// Fast path: nearly all strings contain only single-byte characters without escapes, and
    /// quotes.
    private void string(String string) {
        var begin = length;
        makeRoom(string.length() + 2);
        text[length++] = '"';
        for (var i = 0; i < string.length(); i++) {
            var c = string.charAt(i);
            if (c == '"') {
                makeRoom(string.length() - i + 2);
                text[length++] = '\\';
            } else if (!isPlain(c)) {
                length = begin;
                var quoted = new StringBuilder(string.length() + 2);
                quote(string, quoted);
                append(quoted.toString());
                return;
            }
            text[length++] = (byte) c;
        }
        text[length++] = '"';
    }

    private void append(char c) {
        makeRoom(1);
        text[length++] = (byte) c;
    }

    private void append(String string) {
        append(string.getBytes(StandardCharsets.UTF_8));
    }

    private void append(byte[] bytes) {
        makeRoom(bytes.length);
        System.arraycopy(bytes, 0, text, length, bytes.length);
        length += bytes.length;
    }

    private void makeRoom(int more) {
        if (more > text.length - length) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, length + more));
        }
    }

    /// Appends a string in double quotes, with escapes valid in JSON and YAML.
    static void quote(String string, StringBuilder text) {
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

    /// True for characters without escapes, and for quotes.
    private static boolean isPlain(char c) {
        return c >= ' ' && c < 0x7f && c != '\\';
    }

    /// True for control characters, YAML line breaks and unpaired surrogates.
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
