package dev.berth.core.lint;

import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The attributes and capacities of some slices, to find misspelt names.
public final class KnownNames {

    private final Set<String> attributes = new TreeSet<>();
    private final Set<String> capacities = new TreeSet<>();
    private final Set<String> domains = new TreeSet<>();

    public KnownNames(Collection<ResourceSlice> slices) {
        for (var slice : slices) {
            var driver = slice.spec().driver();
            for (var device : slice.spec().devices()) {
                device.attributes().keySet().forEach(name -> add(attributes, name, driver));
                device.capacity().keySet().forEach(name -> add(capacities, name, driver));
            }
        }
    }

    private void add(Set<String> names, String name, String driver) {
        var full = QualifiedName.of(name, driver);
        names.add(full.toString());
        domains.add(full.domain());
    }

    /// The message for an attribute name that is probably misspelt.
    public Optional<String> checkAttribute(QualifiedName name) {
        return check("attribute", name, attributes);
    }

    /// The message for a capacity name that is probably misspelt.
    public Optional<String> checkCapacity(QualifiedName name) {
        return check("capacity", name, capacities);
    }

    /// The most similar attribute, if no slice has this one.
    public Optional<String> nearestAttribute(QualifiedName name) {
        return nearest(name, attributes);
    }

    /// The most similar capacity, if no slice has this one.
    public Optional<String> nearestCapacity(QualifiedName name) {
        return nearest(name, capacities);
    }

    private static Optional<String> nearest(QualifiedName name, Set<String> known) {
        if (known.contains(name.toString())) {
            return Optional.empty();
        }
        var prefix = name.domain() + "/";
        return SpellingSuggestions.nearest(
                name.id(),
                known.stream()
                        .filter(other -> other.startsWith(prefix))
                        .map(other -> other.substring(prefix.length()))
                        .toList());
    }

    /// Names with a domain that no slice has are accepted, unless the domain itself looks misspelt:
    /// the slices of its driver may just not be among the files.
    private Optional<String> check(String what, QualifiedName name, Set<String> known) {
        if (known.contains(name.toString())) {
            return Optional.empty();
        }
        if (!domains.contains(name.domain())) {
            return SpellingSuggestions.nearest(name.domain(), domains)
                    .map(domain ->
                            "no slice has %s %s; did you mean domain %s?"
                                    .formatted(what, name, domain));
        }
        var sameDomain =
                known.stream().filter(other -> other.startsWith(name.domain() + "/")).toList();
        var ids = sameDomain.stream().map(other -> other.substring(name.domain().length() + 1));
        var hint =
                SpellingSuggestions.nearest(name.id(), ids.toList())
                        .map(id -> "did you mean %s?".formatted(id))
                        .orElseGet(() -> "known there: " + shortList(sameDomain));
        return Optional.of("no slice has %s %s; %s".formatted(what, name, hint));
    }

    private static String shortList(Collection<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names.stream().limit(8).toList());
    }
}
