package dev.berth.app.print;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonMemberSink;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import java.io.PrintWriter;
import java.util.Iterator;

/// Writes one large object as JSON or YAML, member by member and item by item, so that neither its
/// tree nor its text is ever in memory as a whole. The text equals that of [JsonWriter#pretty] and
/// [YamlWriter#write].
public final class StructuredWriter implements JsonMemberSink, AutoCloseable {

    private static final String HEAD = "{\n";
    private static final String TAIL = "\n}\n";
    private static final String ARRAY_TAIL = "\n  ]" + TAIL;

    private final PrintWriter out;
    private final boolean isJson;
    private boolean isEmpty = true;

    StructuredWriter(PrintWriter out, boolean isJson) {
        this.out = out;
        this.isJson = isJson;
    }

    @Override
    public void member(String name, Json value) {
        var member = JsonObject.of(name, value);
        if (!isJson) {
            out.print(YamlWriter.write(member));
        } else {
            var text = JsonWriter.pretty(member);
            separate();
            out.print(text.substring(HEAD.length(), text.length() - TAIL.length()));
        }
        isEmpty = false;
    }

    @Override
    public void array(String name, Iterator<? extends Json> items) {
        if (!items.hasNext()) {
            member(name, Json.array());
            return;
        }
        if (isJson) {
            separate();
            jsonArray(name, items);
        } else {
            yamlArray(name, items);
        }
        isEmpty = false;
    }

    private void separate() {
        out.print(isEmpty ? HEAD : ",\n");
    }

    private void jsonArray(String name, Iterator<? extends Json> items) {
        for (var isFirst = true; items.hasNext(); isFirst = false) {
            var text = JsonWriter.pretty(JsonObject.of(name, Json.array(items.next())));
            var start = isFirst ? HEAD.length() : text.indexOf('\n', HEAD.length()) + 1;
            out.print(isFirst ? "" : ",\n");
            out.print(text.substring(start, text.length() - ARRAY_TAIL.length()));
        }
        out.print("\n  ]");
    }

    private void yamlArray(String name, Iterator<? extends Json> items) {
        for (var isFirst = true; items.hasNext(); isFirst = false) {
            var text = YamlWriter.write(JsonObject.of(name, Json.array(items.next())));
            out.print(isFirst ? text : text.substring(text.indexOf('\n') + 1));
        }
    }

    /// Ends the object.
    @Override
    public void close() {
        if (isJson) {
            out.print(isEmpty ? "{}\n" : TAIL);
        }
    }
}
