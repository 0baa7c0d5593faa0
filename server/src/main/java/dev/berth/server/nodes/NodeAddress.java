package dev.berth.server.nodes;

import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.certificate.NodeTrust;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Failure;
import java.net.InetAddress;
import java.util.List;

/// Where the door of a node is, and by what it is known.
public record NodeAddress(String node, String host, long port, Fingerprint certificate) {

    /// What is tried, in this order.
    private static final List<String> TYPES =
            List.of("InternalIP", "ExternalIP", "InternalDNS", "Hostname", "ExternalDNS");

    private static final long LAST_PORT = 65_535;

    /// Reads it from what the node tells of itself; refuses a node that does not tell enough.
    public static NodeAddress of(JsonObject node) {
        var name = node.objectOrEmpty("metadata").text("name");
        var status = node.objectOrEmpty("status");
        var port =
                status.objectOrEmpty("daemonEndpoints")
                        .objectOrEmpty("kubeletEndpoint")
                        .number("Port")
                        .orElse(0);
        if (port <= 0 || port > LAST_PORT) {
            throw silent(name, "it tells no port in status.daemonEndpoints.kubeletEndpoint.Port");
        }
        var host = host(status);
        if (host.isEmpty()) {
            throw silent(name, "it tells no address in status.addresses");
        }
        var told =
                node.objectOrEmpty("metadata")
                        .objectOrEmpty("annotations")
                        .text(NodeTrust.SERVING_CERTIFICATE);
        var certificate =
                Fingerprint.parse(told)
                        .orElseThrow(() ->
                                silent(
                                        name,
                                        "it tells no SHA-256 of its certificate in the annotation "
                                                + NodeTrust.SERVING_CERTIFICATE));
        return new NodeAddress(name, host, port, certificate);
    }

    private static RuntimeException silent(String node, String why) {
        return Failure.badRequest(
                        ("node %s cannot be asked about its pods: %s. Logs and commands need a"
                                        + " node with an agent; simulated nodes have none")
                                .formatted(node, why))
                .refused();
    }

    private static String host(JsonObject status) {
        for (var type : TYPES) {
            for (var address : status.objects("addresses")) {
                if (address.text("type").equals(type) && !address.text("address").isEmpty()) {
                    return address.text("address");
                }
            }
        }
        return "";
    }

    /// Host and port as an address has them.
    public String authority() {
        return "%s:%d".formatted(isSixth() ? "[" + host + "]" : host, port);
    }

    private boolean isSixth() {
        try {
            return InetAddress.ofLiteral(host).getAddress().length > 4;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
