package dev.berth.drivers.machine;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// A network interface as `ip` tells of it.
///
/// @param kind such as `veth` or `bridge`; `physical` for what no program made
/// @param master the bridge or bond that it is a part of
/// @param lower the interface on which it sits, as a VLAN does
/// @param alias a note that somebody attached
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

    /// Those that must stay for others to go on: the interfaces named, and all below them.
    public static List<String> carriers(List<NetworkLink> links, List<String> names) {
        var carriers = new TreeSet<String>(names);
        var isGrowing = true;
        while (isGrowing) {
            isGrowing = false;
            for (var link : links) {
                if (link.master.filter(carriers::contains).isPresent()) {
                    isGrowing |= carriers.add(link.name);
                }
                if (carriers.contains(link.name) && link.lower.isPresent()) {
                    isGrowing |= carriers.add(link.lower.get());
                }
            }
        }
        return List.copyOf(carriers);
    }
}
