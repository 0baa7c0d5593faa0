package dev.berth.core.lint;

import dev.berth.core.cel.AttributeComparison;
import dev.berth.core.cel.AttributeComparison.AttributeType;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.quantity.Semver;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The attributes, with their types, and the capacities of the devices in some slices, to find
/// misspelt names, wrong domains and comparisons of different types.
public final class KnownNames {

    private static final int MAX_LISTED = 8;

    /// The types of each attribute; empty for types that expressions are not checked for.
    private final Map<String, Set<AttributeType>> attributes = new TreeMap<>();

    private final Set<String> capacities = new TreeSet<>();
    private final Set<String> domains = new TreeSet<>();
    private final boolean isComplete;

    /// The names of some of the slices of a cluster.
    public KnownNames(Collection<ResourceSlice> slices) {
        this(slices, false);
    }

    /// @param isComplete whether these are all slices of a cluster, so that a domain that they do
    ///   not have is a mistake
    public KnownNames(Collection<ResourceSlice> slices, boolean isComplete) {
        this.isComplete = isComplete;
        // Devices of a driver have the same names, so each is added once for each type.
        var seen = new HashMap<String, Set<Object>>();
        for (var slice : slices) {
            var driver = slice.spec().driver();
            var ofDriver = seen.computeIfAbsent(driver, _ -> new HashSet<>());
            for (var device : slice.spec().devices()) {
                device.attributes()
                        .forEach((name, value) -> {
                            if (ofDriver.add(new TypedName(name, type(value)))) {
                                addAttribute(name, driver, value);
                            }
                        });
                for (var name : device.capacity().keySet()) {
                    if (ofDriver.add(name)) {
                        addCapacity(name, driver);
                    }
                }
            }
        }
    }

    private record TypedName(String name, Optional<AttributeType> type) {}

    private void addAttribute(String name, String driver, AttributeValue value) {
        var full = QualifiedName.of(name, driver);
        domains.add(full.domain());
        var types =
                attributes.computeIfAbsent(
                        full.toString(), _ -> EnumSet.noneOf(AttributeType.class));
        type(value).ifPresent(types::add);
    }

    private void addCapacity(String name, String driver) {
        var full = QualifiedName.of(name, driver);
        domains.add(full.domain());
        capacities.add(full.toString());
    }

    private static Optional<AttributeType> type(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue _ -> Optional.of(AttributeType.NUMBER);
            case AttributeValue.BoolValue _ -> Optional.of(AttributeType.BOOL);
            case AttributeValue.StringValue _ -> Optional.of(AttributeType.STRING);
            case AttributeValue.VersionValue _ -> Optional.of(AttributeType.VERSION);
            case AttributeValue.IntList _,
                    AttributeValue.BoolList _,
                    AttributeValue.StringList _,
                    AttributeValue.VersionList _,
                    AttributeValue.Unrecognised _ ->
                    Optional.empty();
        };
    }

    /// The message for an attribute name that is probably wrong.
    public Optional<String> checkAttribute(QualifiedName name) {
        return capacities.contains(name.toString()) && !attributes.containsKey(name.toString())
                ? Optional.of(otherField(name, "capacity", "capacity"))
                : check("attribute", name, attributes.keySet());
    }

    /// The message for a capacity name that is probably wrong.
    public Optional<String> checkCapacity(QualifiedName name) {
        return attributes.containsKey(name.toString()) && !capacities.contains(name.toString())
                ? Optional.of(otherField(name, "attribute", "attributes"))
                : check("capacity", name, capacities);
    }

    /// The message for a capacity name in a capacity request. Without a domain it applies to the
    /// devices of any driver.
    public Optional<String> checkRequestedCapacity(String name) {
        if (name.contains("/")) {
            return checkCapacity(QualifiedName.of(name, ""));
        }
        var ids = new TreeSet<String>();
        capacities.forEach(one -> ids.add(QualifiedName.of(one, "").id()));
        if (ids.contains(name) || (ids.isEmpty() && !isComplete)) {
            return Optional.empty();
        }
        return Optional.of(
                "no device has capacity %s; %s"
                        .formatted(
                                name,
                                SpellingSuggestions.nearest(name, ids)
                                        .map("did you mean %s?"::formatted)
                                        .orElseGet(() -> "capacities: " + shortList(ids))));
    }

    /// The message for an operation on an attribute whose values have another type on all devices.
    public Optional<String> checkType(AttributeComparison comparison) {
        var types = attributes.getOrDefault(comparison.attribute().toString(), Set.of());
        if (types.size() != 1 || types.contains(comparison.type())) {
            return Optional.empty();
        }
        var actual = types.iterator().next();
        return Optional.of(
                "attribute %s is %s, but %s%s"
                        .formatted(
                                comparison.attribute(),
                                withArticle(actual),
                                operation(comparison),
                                correction(comparison, actual)));
    }

    private static String operation(AttributeComparison comparison) {
        if (comparison.isCall()) {
            return "%s needs %s".formatted(comparison.operation(), withArticle(comparison.type()));
        }
        if (comparison.operation().equals("in")) {
            return "the list after in has %s values".formatted(comparison.type());
        }
        return "is compared with "
                + (comparison.literal().isEmpty()
                        ? withArticle(comparison.type())
                        : "the %s %s".formatted(comparison.type(), comparison.literal()));
    }

    private static String withArticle(AttributeType type) {
        return (type == AttributeType.NUMBER ? "an " : "a ") + type;
    }

    private static String correction(AttributeComparison comparison, AttributeType actual) {
        var text = comparison.literal().replace("\"", "");
        if (actual == AttributeType.VERSION && comparison.type() == AttributeType.STRING) {
            return comparison.isCall()
                    ? ""
                    : "; write semver(\"%s\")"
                            .formatted(Semver.tryParse(text).isPresent() ? text : "…");
        }
        if (actual == AttributeType.STRING && comparison.type() == AttributeType.VERSION) {
            return comparison.isCall()
                    ? "; convert it with semver(…)"
                    : "; compare it with a string";
        }
        var isNumber = text.matches("-?[0-9]{1,18}");
        if (actual == AttributeType.NUMBER && isNumber) {
            return "; write " + text;
        }
        return actual == AttributeType.STRING && isNumber && comparison.operation().endsWith("=")
                ? "; write \"%s\"".formatted(text)
                : "";
    }

    /// The most similar attribute, if no slice has this one.
    public Optional<String> nearestAttribute(QualifiedName name) {
        return nearest(name, attributes.keySet());
    }

    /// The most similar capacity, if no slice has this one.
    public Optional<String> nearestCapacity(QualifiedName name) {
        return nearest(name, capacities);
    }

    private static Optional<String> nearest(QualifiedName name, Set<String> known) {
        return known.contains(name.toString())
                ? Optional.empty()
                : SpellingSuggestions.nearest(name.id(), ids(name.domain(), known));
    }

    private static List<String> ids(String domain, Set<String> known) {
        return known.stream()
                .map(other -> QualifiedName.of(other, ""))
                .filter(other -> other.domain().equals(domain))
                .map(QualifiedName::id)
                .toList();
    }

    private Optional<String> check(String what, QualifiedName name, Set<String> known) {
        if (known.contains(name.toString())) {
            return Optional.empty();
        }
        var isKnownDomain = domains.contains(name.domain());
        var meant = domainOf(name, known).filter(other -> isKnownDomain || isMistaken(name, other));
        if (meant.isPresent()) {
            return Optional.of(
                    "%s %s is in domain %s, not %s"
                            .formatted(what, name.id(), meant.get(), name.domain()));
        }
        return isKnownDomain
                ? Optional.of(unknownId(what, name, known))
                : unknownDomain(what, name);
    }

    /// The domain that has this name, if it is only one.
    private static Optional<String> domainOf(QualifiedName name, Set<String> known) {
        var found =
                known.stream()
                        .map(other -> QualifiedName.of(other, ""))
                        .filter(other -> other.id().equals(name.id()))
                        .map(QualifiedName::domain)
                        .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    /// Whether a domain that no slice has was probably written instead of another one.
    private boolean isMistaken(QualifiedName name, String other) {
        return isComplete
                || other.endsWith("." + name.domain())
                || name.domain().endsWith("." + other);
    }

    private static String unknownId(String what, QualifiedName name, Set<String> known) {
        var ids = ids(name.domain(), known);
        return "no device has %s %s%s"
                .formatted(
                        what,
                        name,
                        SpellingSuggestions.nearest(name.id(), ids)
                                .map("; did you mean %s?"::formatted)
                                .orElseGet(() ->
                                        ids.isEmpty() ? "" : "; known there: " + shortList(ids)));
    }

    /// A domain that no slice has is accepted if the slices are not complete, unless it looks
    /// misspelt: the slices of its driver may just not be among the files.
    private Optional<String> unknownDomain(String what, QualifiedName name) {
        var similar = SpellingSuggestions.nearestObject(name.domain(), domains);
        if (similar.isPresent()) {
            return Optional.of(
                    "no device has %s %s; did you mean domain %s?"
                            .formatted(what, name, similar.get()));
        }
        return isComplete
                ? Optional.of(
                        "no device has %s %s; domains of devices: %s"
                                .formatted(what, name, shortList(domains)))
                : Optional.empty();
    }

    private static String otherField(QualifiedName name, String what, String field) {
        return "%s is %s %s; write device.%s[\"%s\"].%s"
                .formatted(
                        name,
                        what.startsWith("a") ? "an" : "a",
                        what,
                        field,
                        name.domain(),
                        name.id());
    }

    private static String shortList(Collection<String> names) {
        var shown = String.join(", ", names.stream().limit(MAX_LISTED).toList());
        return names.isEmpty() ? "none" : shown + (names.size() > MAX_LISTED ? ", …" : "");
    }
}
