package dev.berth.server.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// One change of one object: the step from one revision to the next.
///
/// @param entry the object after the change; for a deletion the last state, at the new revision
/// @param previous the object before the change; empty for a creation
public record Change(Type type, Entry entry, Optional<Entry> previous) {

    public enum Type {
        CREATED,
        UPDATED,
        DELETED
    }

    public long revision() {
        return entry.revision();
    }

    /// Applies changes to a list of objects.
    public static List<Entry> applied(List<Entry> entries, List<Change> changes) {
        if (changes.isEmpty()) {
            return entries;
        }
        var objects = new LinkedHashMap<ObjectKey, Entry>();
        entries.forEach(entry -> objects.put(entry.key(), entry));
        for (var change : changes) {
            if (change.type == Type.DELETED) {
                objects.remove(change.entry.key());
            } else {
                objects.put(change.entry.key(), change.entry);
            }
        }
        return List.copyOf(objects.values());
    }
}
