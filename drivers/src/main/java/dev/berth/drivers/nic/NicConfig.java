package dev.berth.drivers.nic;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Configuration of the network interface driver.
///
/// @param kinds kinds of interfaces that may be moved: `physical`, and link types of `ip`
/// @param except names of interfaces that are never moved
public record NicConfig(Set<String> kinds, Set<String> except, List<InterfaceSource> made) {

    private static final long MAX_SLOTS = 65_536;
    private static final long DEFAULT_SLOTS = 250;

    /// Part of 198.18.0.0/15, which RFC 2544 reserves for benchmarks, so it should not be in use.
    private static final AddressRange DEFAULT_RANGE =
            AddressRange.tryParse("198.18.240.0/24").orElseThrow();

    public static final NicConfig DEFAULTS =
            new NicConfig(
                    Set.of("physical"),
                    Set.of(),
                    List.of(
                            new InterfaceSource(
                                    "veth",
                                    new InterfaceSource.Type.Veth(Optional.empty()),
                                    DEFAULT_SLOTS,
                                    Optional.of(DEFAULT_RANGE))));

    public NicConfig {
        kinds = Set.copyOf(kinds);
        except = Set.copyOf(except);
        made = List.copyOf(made);
    }

    public static Parameters<NicConfig> parameters() {
        return Parameters.plain(NicConfig::read, DEFAULTS);
    }

    private static NicConfig read(ParameterFields fields) {
        var kinds = fields.texts("kinds");
        var made = new ArrayList<InterfaceSource>();
        fields.objects("made", NicConfig::source).forEach(one -> one.ifPresent(made::add));
        var names = new HashSet<String>();
        for (var one : made) {
            if (!names.add(one.name())) {
                fields.refuse("made", "duplicate name \"%s\"".formatted(one.name()));
            }
        }
        return new NicConfig(
                kinds.isEmpty() ? DEFAULTS.kinds : new HashSet<>(kinds),
                new HashSet<>(fields.texts("except")),
                made.isEmpty() ? DEFAULTS.made : made);
    }

    private static Optional<InterfaceSource> source(ParameterFields fields) {
        var name = fields.text("name").orElse("");
        if (name.isEmpty() || !DerivedNames.label(name).equals(name)) {
            fields.refuse("name", "\"%s\" is not a name of a-z, 0-9 and -".formatted(name));
        }
        var slots = fields.number("slots", 1, MAX_SLOTS).orElse(DEFAULT_SLOTS);
        var rangeText = fields.text("range");
        var range = rangeText.flatMap(AddressRange::tryParse);
        if (rangeText.isPresent() && range.isEmpty()) {
            fields.refuse(
                    "range", "\"%s\" is not a range like 10.1.2.0/24".formatted(rangeText.get()));
        }
        return type(fields).map(type -> new InterfaceSource(name, type, slots, range));
    }

    private static Optional<InterfaceSource.Type> type(ParameterFields fields) {
        var type = fields.oneOf("type", List.of("macvlan", "veth")).orElse("");
        var parent = fields.text("parent");
        var bridge = fields.text("bridge");
        if (type.equals("macvlan")) {
            if (parent.isEmpty()) {
                fields.refuse("parent", "a macvlan requires a parent interface");
            }
            bridge.ifPresent(_ -> fields.refuse("bridge", "bridge is only allowed for type veth"));
            return parent.map(InterfaceSource.Type.Macvlan::new);
        }
        if (type.equals("veth")) {
            parent.ifPresent(_ ->
                    fields.refuse("parent", "parent is only allowed for type macvlan; use bridge"));
            return Optional.of(new InterfaceSource.Type.Veth(bridge));
        }
        fields.refuse("type", "expected macvlan or veth");
        return Optional.empty();
    }
}
