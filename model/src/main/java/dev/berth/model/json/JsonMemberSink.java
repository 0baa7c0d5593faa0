package dev.berth.model.json;

import java.util.Iterator;

/// Receives the members of one object in their order: a writer that streams them, or a
/// [JsonTreeSink].
public interface JsonMemberSink {

    /// Receives a member of the object.
    void member(String name, Json value);

    /// Receives a member that is an array. The items may be created while they are received.
    void array(String name, Iterator<? extends Json> items);
}
