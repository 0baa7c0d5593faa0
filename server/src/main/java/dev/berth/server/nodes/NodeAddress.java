package dev.berth.server.nodes;

import dev.berth.core.admission.field.NameFormats;
import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.certificate.NodeTrustNames;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/// Host, port and certificate of a node's endpoint.
///
/// A node writes its own status, and a stolen node identity could write anything: the host must be
/// an IP address or a DNS name and nothing else, so that the server controls path and query of a
/// request.
public record NodeAddress(String node, String host, int port, Fingerprint certificate) {

    /// Address types in order of preference.
    private static final List<String> TYPES =
            List.of("InternalIP", "ExternalIP", "InternalDNS", "Hostname", "ExternalDNS");

    private static final String PROFILE_LABEL = "sim.berth.dev/profile";
    private static final int MAX_PORT = 65_535;
    private static final Pattern V6_CHARACTERS = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    public NodeAddress {
        if (!isHost(host) || port <= 0 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "node %s: \"%s\" and %d are not a valid host and port"
                            .formatted(node, host, port));
        }
    }

    /// True for a simulated node: it has a profile and no endpoint.
    public static boolean isSimulated(JsonObject node) {
        return node.objectOrEmpty("metadata").objectOrEmpty("labels").has(PROFILE_LABEL)
                && port(node.objectOrEmpty("status")) == 0;
    }

    private static long port(JsonObject status) {
        return status.objectOrEmpty("daemonEndpoints")
                .objectOrEmpty("kubeletEndpoint")
                .number("Port")
                .orElse(0);
    }

    /// Reads the address of a Node object; rejects the request if something is missing.
    public static NodeAddress of(JsonObject node) {
        var name = node.objectOrEmpty("metadata").text("name");
        if (isSimulated(node)) {
            throw ApiError.badRequest(
                            "Pods on simulated nodes do not run: there is no process to run"
                                    + " commands in, to attach to, or to forward ports to. kubectl"
                                    + " logs lists the devices that a container would see")
                    .exception();
        }
        var status = node.objectOrEmpty("status");
        var port = port(status);
        if (port <= 0 || port > MAX_PORT) {
            throw noEndpoint(name, "status.daemonEndpoints.kubeletEndpoint.Port is not set");
        }
        var host = host(status);
        if (host.isEmpty()) {
            throw noEndpoint(name, "status.addresses is empty");
        }
        if (!isHost(host)) {
            throw noEndpoint(
                    name,
                    "its address \"%s\" is neither an IP address nor a DNS name".formatted(host));
        }
        var fingerprint =
                node.objectOrEmpty("metadata")
                        .objectOrEmpty("annotations")
                        .text(NodeTrustNames.SERVING_CERTIFICATE);
        var certificate =
                Fingerprint.parse(fingerprint)
                        .orElseThrow(() ->
                                noEndpoint(
                                        name,
                                        "the SHA-256 fingerprint of its certificate is missing in"
                                                + " annotation "
                                                + NodeTrustNames.SERVING_CERTIFICATE));
        return new NodeAddress(name, host, Math.toIntExact(port), certificate);
    }

    /// True for an IP address and for a DNS name.
    public static boolean isHost(String text) {
        return NameFormats.subdomainOfAnyCase(text).isEmpty() || isV6(text);
    }

    private static boolean isV6(String text) {
        if (!V6_CHARACTERS.matcher(text).matches()) {
            return false;
        }
        try {
            InetAddress.ofLiteral(text);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static RuntimeException noEndpoint(String node, String reason) {
        return ApiError.badRequest(
                        ("node %s has no usable endpoint: %s. Logs and exec require a node with an"
                                        + " agent")
                                .formatted(node, reason))
                .exception();
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

    /// Host and port as in a URL.
    public String authority() {
        return "%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
    }

    /// A URL at this node.
    ///
    /// @param path begins with a slash; with the query
    URI uri(String scheme, String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path " + path + " does not begin with a slash");
        }
        return URI.create(scheme + "://" + authority() + path);
    }
}
