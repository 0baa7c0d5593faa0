package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Connects pods to the machine: each by a veth pair of its own, with one address and routes at
/// both ends.
///
/// There is no bridge. The machine routes between its pods, for which forwarding is enabled on the
/// pods' links only; the machine's own settings do not change. There is no NAT: pods have their
/// addresses on this machine, and beyond it only with a route to it.
final class PodNetwork {

    private static final String INSIDE = "eth0";
    private static final String PREFIX = "berth";

    /// Maximum length of an interface name, minus the prefix.
    private static final int NAME_LENGTH = 10;

    private final Programs programs;
    private final PodAddresses addresses;

    PodNetwork(Programs programs, PodAddresses addresses) {
        this.programs = programs;
        this.addresses = addresses;
    }

    /// The host's end of a sandbox's link.
    static String link(String sandbox) {
        return PREFIX + sandbox.substring(0, Math.min(NAME_LENGTH, sandbox.length()));
    }

    /// Addresses that the machine has routes for, whatever created them.
    Set<String> routed() throws RuntimeFailure {
        var routed = new HashSet<String>();
        var result = programs.run("ip", "-4", "-o", "route", "show");
        for (var line : result.output().lines().toList()) {
            routed.add(line.split(" ", 2)[0]);
        }
        return routed;
    }

    /// Connects a sandbox.
    ///
    /// @param namespace network namespace of the pod
    void attach(String sandbox, String address, Path namespace) throws RuntimeFailure {
        var link = link(sandbox);
        var host = addresses.host();
        programs.require(
                "the pod's veth pair cannot be created",
                programs.line("ip", List.of("-batch", "-")),
                """
                link add %1$s type veth peer name %2$s netns %3$s
                addr add %4$s/32 dev %1$s
                link set %1$s up
                route add %5$s/32 dev %1$s src %4$s
                """
                        .formatted(link, INSIDE, namespace, host, address));
        MountOperations.write(Path.of("/proc/sys/net/ipv4/conf", link, "forwarding"), "1");
        programs.require(
                "the pod's address cannot be set",
                programs.line(
                        "nsenter",
                        List.of("--net=" + namespace, programs.path("ip"), "-batch", "-")),
                """
                addr add %1$s/32 dev %2$s
                link set %2$s up
                route add %3$s dev %2$s scope link
                route add default via %3$s dev %2$s
                """
                        .formatted(address, INSIDE, host));
    }

    /// Removes a sandbox's link with its addresses and routes, if it exists.
    void detach(String sandbox) throws RuntimeFailure {
        programs.run("ip", "link", "delete", link(sandbox));
    }
}
