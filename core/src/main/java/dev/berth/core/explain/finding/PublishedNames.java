package dev.berth.core.explain.finding;

import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Attributes and capacities of published devices, to find misspelt names, wrong domains and
/// comparisons of different types.
public final class PublishedNames {

    private final Map<String, String> attributeTypes = new TreeMap<>();
    private final Set<String> capacities = new TreeSet<>();

    public PublishedNames(Collection<ResourceSlice> slices) {
        for (var slice : slices) {
            var driver = slice.spec().driver();
            for (var device : slice.spec().devices()) {
                device.attributes()
                        .forEach((name, value) ->
                                attributeTypes.putIfAbsent(
                                        QualifiedName.of(name, driver).toString(), type(value)));
                device.capacity()
                        .keySet()
                        .forEach(name -> capacities.add(QualifiedName.of(name, driver).toString()));
            }
        }
    }

    /// The name of a type of CEL.
    private static String type(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue _ -> "int";
            case AttributeValue.BoolValue _ -> "bool";
            case AttributeValue.StringValue _ -> "string";
            case AttributeValue.VersionValue _ -> "version";
            case AttributeValue.IntList _,
                    AttributeValue.BoolList _,
                    AttributeValue.StringList _,
                    AttributeValue.VersionList _ ->
                    "list";
            case AttributeValue.Unrecognised _ -> "value of unknown type";
        };
    }

    public Optional<String> attributeType(QualifiedName name) {
        return Optional.ofNullable(attributeTypes.get(name.toString()));
    }

    public boolean hasAttribute(QualifiedName name) {
        return attributeTypes.containsKey(name.toString());
    }

    public boolean hasCapacity(QualifiedName name) {
        return capacities.contains(name.toString());
    }

    /// The mistake in an attribute that no device has: its domain, its spelling, or its kind.
    public Optional<NameMistake> attributeMistake(QualifiedName name, Set<String> drivers) {
        return hasAttribute(name)
                ? Optional.empty()
                : Optional.of(
                        mistake("attribute", name, attributeTypes.keySet(), capacities, drivers));
    }

    /// The mistake in a capacity that no device has.
    public Optional<NameMistake> capacityMistake(QualifiedName name, Set<String> drivers) {
        return hasCapacity(name)
                ? Optional.empty()
                : Optional.of(
                        mistake("capacity", name, capacities, attributeTypes.keySet(), drivers));
    }

    /// A name that no device has, and the name that was probably meant.
    ///
    /// @param text what is wrong, complete with the correction
    /// @param meant empty when no published name is similar
    public record NameMistake(QualifiedName written, String text, Optional<QualifiedName> meant) {}

    private static NameMistake mistake(
            String what,
            QualifiedName name,
            Set<String> known,
            Set<String> otherKind,
            Set<String> drivers) {
        var elsewhere = elsewhere(name, known, drivers);
        if (elsewhere.isPresent()) {
            return new NameMistake(
                    name,
                    "%s %s is in domain %s, not %s"
                            .formatted(what, name.id(), elsewhere.get().domain(), name.domain()),
                    elsewhere);
        }
        var similar = similar(name, known);
        if (similar.isPresent()) {
            return new NameMistake(
                    name,
                    "no device has %s %s; did you mean %s?"
                            .formatted(what, name, similar.get().id()),
                    similar);
        }
        if (otherKind.contains(name.toString())) {
            var actual = what.equals("capacity") ? "attribute" : "capacity";
            return new NameMistake(
                    name,
                    "%s is a%s %s, not a%s %s"
                            .formatted(
                                    name.id(),
                                    actual.startsWith("a") ? "n" : "",
                                    actual,
                                    what.startsWith("a") ? "n" : "",
                                    what),
                    Optional.empty());
        }
        var similarElsewhere =
                known.stream()
                        .map(other -> QualifiedName.of(other, ""))
                        .filter(other -> drivers.contains(other.domain()))
                        .filter(other ->
                                SpellingSuggestions.nearest(name.id(), Set.of(other.id()))
                                        .isPresent())
                        .findFirst();
        return new NameMistake(
                name,
                "no device has %s %s%s"
                        .formatted(
                                what,
                                name,
                                similarElsewhere
                                        .map(other -> "; did you mean %s?".formatted(other))
                                        .orElse("")),
                similarElsewhere);
    }

    /// The same name in another domain; that of a driver of the class first.
    private static Optional<QualifiedName> elsewhere(
            QualifiedName name, Set<String> known, Set<String> drivers) {
        return known.stream()
                .map(other -> QualifiedName.of(other, ""))
                .filter(other -> other.id().equals(name.id()))
                .min((a, b) ->
                        Boolean.compare(
                                !drivers.contains(a.domain()), !drivers.contains(b.domain())));
    }

    private static Optional<QualifiedName> similar(QualifiedName name, Set<String> known) {
        var ids =
                known.stream()
                        .map(other -> QualifiedName.of(other, ""))
                        .filter(other -> other.domain().equals(name.domain()))
                        .map(QualifiedName::id)
                        .toList();
        return SpellingSuggestions.nearest(name.id(), ids)
                .map(id -> new QualifiedName(name.domain(), id));
    }
}
