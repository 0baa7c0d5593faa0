package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import java.util.Collection;
import java.util.regex.Pattern;

/// Writes trees as YAML in block style, and quotes every string that would parse as another type.
public final class YamlWriter {

    private static final String INDENT = "  ";
    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_./][A-Za-z0-9_./ ()=+-]*");
    private static final Pattern BLOCK_SAFE = Pattern.compile("[ -~\\n]*[!-~]\\n?");

    private static final int MAX_PLAIN_KEY = 1000;

    private final StringBuilder text = new StringBuilder();

    private YamlWriter() {}

    public static String write(Json value) {
        var writer = new YamlWriter();
        writer.top(value);
        return writer.text.toString();
    }

    /// Writes several documents, separated by `---`.
    public static String writeAll(Collection<? extends Json> values) {
        var writer = new YamlWriter();
        for (var value : values) {
            writer.text.append(writer.text.isEmpty() ? "" : "---\n");
            writer.top(value);
        }
        return writer.text.toString();
    }

    private void top(Json value) {
        switch (value) {
            case JsonObject object when !object.isEmpty() -> object(object, 0, "");
            case JsonArray array when array.size() > 0 -> array(array, 0, "");
            default -> {
                scalar(value, 0);
                text.append('\n');
            }
        }
    }

    /// `first` is the prefix of the first member, such as `- `.
    private void object(JsonObject object, int level, String first) {
        var lead = first;
        for (var member : object.members().entrySet()) {
            lead(lead, level);
            lead = "";
            key(member.getKey(), level);
            member(member.getValue(), level);
        }
    }

    /// A key beyond the parser's look-ahead needs the explicit key indicator.
    private void key(String key, int level) {
        var start = text.length();
        string(key);
        if (text.length() - start > MAX_PLAIN_KEY) {
            text.insert(start, "? ").append('\n').repeat(INDENT, level);
        }
        text.append(':');
    }

    private void member(Json value, int level) {
        switch (value) {
            case JsonObject object when !object.isEmpty() -> {
                text.append('\n');
                object(object, level + 1, "");
            }
            case JsonArray array when array.size() > 0 -> {
                text.append('\n');
                array(array, level, "");
            }
            default -> {
                text.append(' ');
                scalar(value, level);
                text.append('\n');
            }
        }
    }

    private void array(JsonArray array, int level, String first) {
        var lead = first;
        for (var item : array.items()) {
            lead(lead, level);
            lead = "";
            text.append("- ");
            switch (item) {
                case JsonObject object when !object.isEmpty() -> object(object, level + 1, "- ");
                case JsonArray inner when inner.size() > 0 -> array(inner, level + 1, "- ");
                default -> {
                    scalar(item, level);
                    text.append('\n');
                }
            }
        }
    }

    private void lead(String lead, int level) {
        if (lead.isEmpty()) {
            text.repeat(INDENT, level);
        }
    }

    private void scalar(Json value, int level) {
        switch (value) {
            case JsonString(var string) when isBlock(string) -> block(string, level);
            case JsonString(var string) -> string(string);
            case JsonNumber(var literal) -> text.append(literal);
            case JsonBool(var flag) -> text.append(flag);
            case JsonNull _ -> text.append("null");
            case JsonArray _ -> text.append("[]");
            case JsonObject _ -> text.append("{}");
        }
    }

    private void string(String string) {
        var bare =
                BARE.matcher(string).matches()
                        && !string.endsWith(" ")
                        && YamlScalars.resolve(string)
                                .filter(JsonString.class::isInstance)
                                .isPresent();
        if (bare) {
            text.append(string);
        } else {
            JsonWriter.quote(string, text);
        }
    }

    private static boolean isBlock(String string) {
        return string.indexOf('\n') >= 0
                && !string.startsWith(" ")
                && !string.startsWith("\n")
                && BLOCK_SAFE.matcher(string).matches();
    }

    private void block(String string, int level) {
        var closed = string.endsWith("\n");
        text.append(closed ? "|" : "|-");
        var body = closed ? string.substring(0, string.length() - 1) : string;
        for (var line : body.split("\n", -1)) {
            text.append('\n');
            if (!line.isEmpty()) {
                text.repeat(INDENT, level + 1).append(line);
            }
        }
    }
}
