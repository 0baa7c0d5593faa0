package dev.berth.server.patch;

import dev.berth.server.patch.ManagedFields.Entry;
import dev.berth.server.patch.ManagedFields.Identity;
import dev.berth.server.patch.ManagedFields.Operation;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;

/// Limits the number of update managers: merges the oldest ones into one entry per version.
final class ManagerLimit {

    static final int MAX_UPDATE_MANAGERS = 10;

    private static final String BUCKET = "ancient-changes";

    private ManagerLimit() {}

    static ManagedFields capped(ManagedFields managed) {
        if (managed.entries().size() <= MAX_UPDATE_MANAGERS) {
            return managed;
        }
        var updaters =
                managed.entries().stream()
                        .filter(entry -> entry.operation() == Operation.UPDATE)
                        .sorted(
                                Comparator.comparingLong(Entry::seconds)
                                        .thenComparing(Entry::manager)
                                        .thenComparing(Entry::apiVersion)
                                        .thenComparing(Entry::subresource))
                        .toList();
        var count = updaters.size();
        if (count <= MAX_UPDATE_MANAGERS) {
            return managed;
        }
        var entries = new LinkedHashMap<Identity, Entry>();
        managed.entries().forEach(entry -> entries.put(entry.identity(), entry));
        var firstByVersion = new HashMap<String, Entry>();
        for (var entry : updaters) {
            if (count <= MAX_UPDATE_MANAGERS) {
                break;
            }
            var first = firstByVersion.putIfAbsent(entry.apiVersion(), entry);
            if (first == null) {
                continue;
            }
            var bucket = new Identity(BUCKET, Operation.UPDATE, entry.apiVersion(), "");
            var old = entries.get(bucket);
            if (old == null) {
                old = first;
                entries.remove(first.identity());
            }
            entries.remove(entry.identity());
            entries.put(
                    bucket,
                    new Entry(
                            BUCKET,
                            Operation.UPDATE,
                            entry.apiVersion(),
                            "",
                            entry.time(),
                            entry.fields().union(old.fields())));
            count--;
        }
        return new ManagedFields(entries.values().stream().toList());
    }
}
