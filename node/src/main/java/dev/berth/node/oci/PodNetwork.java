package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Links pods to the machine: each by a pair of interfaces of its own, with one address and routes
/// at both ends.
///
/// There is no bridge. The machine routes between its pods, for which only the pods' own links are
/// told to forward; the machine as a whole is left as it is. Nothing is translated: pods are known
/// by their addresses on this machine, and beyond it by whoever routes to it.
final class PodNetwork {

    private static final String INSIDE = "eth0";
    private static final String PREFIX = "berth";

    /// The longest name of an interface, less the prefix.
    private static final int NAME_LENGTH = 10;

    private final Programs programs;
    private final PodAddresses addresses;

    PodNetwork(Programs programs, PodAddresses addresses) {
        this.programs = programs;
        this.addresses = addresses;
    }

    /// The machine's end of a sandbox's link.
    static String link(String sandbox) {
        return PREFIX + sandbox.substring(0, Math.min(NAME_LENGTH, sandbox.length()));
    }

    /// Addresses of the range for which the machine has routes, whoever set them up.
    Set<String> routed() throws RuntimeFailure {
        var routed = new HashSet<String>();
        var result = programs.run("ip", "-4", "-o", "route", "show");
        for (var line : result.output().lines().toList()) {
            routed.add(line.split(" ", 2)[0]);
        }
        return routed;
    }

    /// Links a sandbox.
    ///
    /// @param namespace the pod's
    void attach(String sandbox, String address, Path namespace) throws RuntimeFailure {
        var link = link(sandbox);
        var host = addresses.host();
        programs.must(
                "the pod's link cannot be made",
                programs.line("ip", List.of("-batch", "-")),
                """
                link add %1$s type veth peer name %2$s netns %3$s
                addr add %4$s/32 dev %1$s
                link set %1$s up
                route add %5$s/32 dev %1$s src %4$s
                """
                        .formatted(link, INSIDE, namespace, host, address));
        MountOperations.write(Path.of("/proc/sys/net/ipv4/conf", link, "forwarding"), "1");
        programs.must(
                "the pod's address cannot be set",
                programs.line(
                        "nsenter",
                        List.of("--net=" + namespace, programs.place("ip"), "-batch", "-")),
                """
                addr add %1$s/32 dev %2$s
                link set %2$s up
                route add %3$s dev %2$s scope link
                route add default via %3$s dev %2$s
                """
                        .formatted(address, INSIDE, host));
    }

    /// Removes a sandbox's link, with addresses and routes; nothing happens when there is none.
    void detach(String sandbox) throws RuntimeFailure {
        programs.run("ip", "link", "delete", link(sandbox));
    }
}
