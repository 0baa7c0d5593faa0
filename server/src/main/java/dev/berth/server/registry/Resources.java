package dev.berth.server.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All kinds that are served now. Custom kinds come and go, so this is a value behind one field.
public final class Resources {

    private volatile List<Resource> all;

    public Resources(List<Resource> builtIn) {
        this.all = List.copyOf(builtIn);
    }

    public List<Resource> all() {
        return all;
    }

    /// The kind that an address means, such as `resource.k8s.io`, `v1`, `resourceslices`.
    public Optional<Resource> byAddress(String group, String version, String plural) {
        return all.stream()
                .filter(one ->
                        one.plural().equals(plural)
                                && one.group().equals(group)
                                && one.versions().contains(version))
                .findFirst();
    }

    public Optional<Resource> byKind(String group, String kind) {
        return all.stream()
                .filter(one -> one.kind().equals(kind) && one.group().equals(group))
                .findFirst();
    }

    public Optional<Resource> byCollection(String collection) {
        return all.stream().filter(one -> one.collection().equals(collection)).findFirst();
    }

    /// Serves a kind from now on, in place of one with the same group and plural.
    public synchronized void put(Resource resource) {
        var changed = new ArrayList<>(all);
        changed.removeIf(one -> one.collection().equals(resource.collection()));
        changed.add(resource);
        all = List.copyOf(changed);
    }

    /// Serves a kind no longer.
    public synchronized void remove(String collection) {
        var changed = new ArrayList<>(all);
        changed.removeIf(one -> one.collection().equals(collection));
        all = List.copyOf(changed);
    }
}
