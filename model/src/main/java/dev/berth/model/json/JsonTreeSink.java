package dev.berth.model.json;

import java.util.ArrayList;
import java.util.Iterator;

/// Collects received members in a tree.
public final class JsonTreeSink implements JsonMemberSink {

    private JsonObject tree = JsonObject.EMPTY;

    @Override
    public void member(String name, Json value) {
        tree = tree.with(name, value);
    }

    @Override
    public void array(String name, Iterator<? extends Json> items) {
        var list = new ArrayList<Json>();
        items.forEachRemaining(list::add);
        member(name, Json.array(list));
    }

    /// The object with all members so far.
    public JsonObject tree() {
        return tree;
    }
}
