package dev.berth.server.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The kinds that are served. Custom kinds change at run time, so the index is an immutable value
/// in one volatile field.
public final class Resources {

    private volatile Index index;

    public Resources(List<Resource> builtIn) {
        this.index = Index.of(builtIn);
    }

    public List<Resource> all() {
        return index.all;
    }

    /// The kind served at a path, such as `resource.k8s.io`, `v1`, `resourceslices`.
    public Optional<Resource> byPath(String group, String version, String plural) {
        return Optional.ofNullable(index.byPlural.get(new Named(group, plural)))
                .filter(one -> one.versions().contains(version));
    }

    public Optional<Resource> byKind(String group, String kind) {
        return Optional.ofNullable(index.byKind.get(new Named(group, kind)));
    }

    public Optional<Resource> byCollection(String collection) {
        return Optional.ofNullable(index.byCollection.get(collection));
    }

    /// Adds a custom kind, or replaces the custom kind with the same group and plural.
    public synchronized void put(Resource resource) {
        if (all().stream().anyMatch(one -> !one.isCustom() && collides(one, resource))) {
            throw new IllegalArgumentException(resource + " has the names of a built-in kind");
        }
        var changed = new ArrayList<>(index.all);
        changed.removeIf(one -> one.collection().equals(resource.collection()));
        changed.add(resource);
        index = Index.of(changed);
    }

    private static boolean collides(Resource one, Resource other) {
        return one.collection().equals(other.collection())
                || (one.group().equals(other.group())
                        && (one.plural().equals(other.plural())
                                || one.kind().equals(other.kind())));
    }

    /// Removes a custom kind; built-in kinds are kept.
    public synchronized void remove(String collection) {
        var changed = new ArrayList<>(index.all);
        changed.removeIf(one -> one.isCustom() && one.collection().equals(collection));
        index = Index.of(changed);
    }

    /// Lookup key: a group and a kind or plural in it.
    private record Named(String group, String name) {}

    /// The kinds and their lookup maps; if two kinds have the same name, the first one wins.
    private record Index(
            List<Resource> all,
            Map<Named, Resource> byPlural,
            Map<Named, Resource> byKind,
            Map<String, Resource> byCollection) {

        static Index of(List<Resource> all) {
            var byPlural = new HashMap<Named, Resource>();
            var byKind = new HashMap<Named, Resource>();
            var byCollection = new HashMap<String, Resource>();
            for (var one : all) {
                byPlural.putIfAbsent(new Named(one.group(), one.plural()), one);
                byKind.putIfAbsent(new Named(one.group(), one.kind()), one);
                byCollection.putIfAbsent(one.collection(), one);
            }
            return new Index(List.copyOf(all), byPlural, byKind, byCollection);
        }
    }
}
