package dev.berth.drivers.machine;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// A network interface, from the output of `ip`.
///
/// @param kind such as `veth` or `bridge`; `physical` for hardware
/// @param master its bridge or bond
/// @param lower its lower interface, for VLANs and the like
/// @param alias its ifalias
public record NetworkLink(
        String name,
        String mac,
        long mtu,
        String kind,
        String state,
        boolean isLoopback,
        boolean isUp,
        Optional<String> master,
        Optional<String> lower,
        String alias) {

    static NetworkLink of(JsonObject tree) {
        var kind = tree.objectOrEmpty("linkinfo").text("info_kind");
        return new NetworkLink(
                tree.text("ifname"),
                tree.text("address"),
                tree.number("mtu").orElse(0),
                kind.isEmpty() ? "physical" : kind,
                tree.text("operstate"),
                tree.text("link_type").equals("loopback"),
                tree.strings("flags").contains("UP"),
                tree.string("master"),
                tree.string("link"),
                tree.text("ifalias"));
    }

    /// The named interfaces and all lower interfaces and members that they depend on.
    public static List<String> withDependencies(List<NetworkLink> links, List<String> names) {
        var withDependencies = new TreeSet<String>(names);
        var hasChanged = true;
        while (hasChanged) {
            hasChanged = false;
            for (var link : links) {
                if (link.master.filter(withDependencies::contains).isPresent()) {
                    hasChanged |= withDependencies.add(link.name);
                }
                if (withDependencies.contains(link.name) && link.lower.isPresent()) {
                    hasChanged |= withDependencies.add(link.lower.get());
                }
            }
        }
        return List.copyOf(withDependencies);
    }
}
