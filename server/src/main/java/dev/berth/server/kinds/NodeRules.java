package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.certificate.NodeTrustNames;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.IpAddresses;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.kinds.pod.AffinityChecks;
import dev.berth.server.nodes.NodeAddress;
import dev.berth.server.registry.Strategy;
import java.util.HashSet;
import java.util.List;

/// Defaulting and validation of nodes. Kubernetes accepts any text as an address; here it must be a
/// host, since the server connects to it.
final class NodeRules {

    private NodeRules() {}

    static Strategy nodes() {
        return ComposedStrategy.cluster()
                .withStatusFromCreation()
                .defaults(node ->
                        DefaultsFiller.of(node)
                                .into("spec", s -> s)
                                .in("status", NodeRules::filledStatus)
                                .done())
                .checks(NodeRules::node)
                .checksNew((node, checks) -> status(node.objectOrEmpty("status"), checks))
                .checksUpdate((old, node, checks) -> {
                    var before = old.objectOrEmpty("spec");
                    for (var name : List.of("podCIDR", "providerID")) {
                        if (!before.text(name).isEmpty()) {
                            checks.immutableSpec(old, node, name);
                        }
                    }
                })
                .checksStatus((_, node, checks) -> {
                    certificate(node, checks);
                    status(node.objectOrEmpty("status"), checks);
                });
    }

    private static JsonObject filledStatus(JsonObject status) {
        var filled =
                DefaultsFiller.of(status)
                        .in("capacity", ResourceQuantities::canonical)
                        .in("allocatable", ResourceQuantities::canonical);
        return status.has("capacity") && !status.has("allocatable")
                ? filled.set("allocatable", filled.done().objectOrEmpty("capacity")).done()
                : filled.done();
    }

    private static void status(JsonObject status, ObjectChecks checks) {
        for (var name : List.of("capacity", "allocatable")) {
            amounts(status.objectOrEmpty(name), ObjectChecks.STATUS.child(name), checks);
        }
        var seen = new HashSet<JsonObject>();
        checks.each(
                status,
                "addresses",
                ObjectChecks.STATUS,
                (address, at) -> {
                    if (!NodeAddress.isHost(address.text("address"))) {
                        checks.invalid(
                                at.child("address"),
                                address.text("address"),
                                "must be an IP address or a DNS name");
                    }
                    if (!seen.add(address)) {
                        checks.add(FieldError.duplicate(at, address));
                    }
                });
        var endpoint = status.objectOrEmpty("daemonEndpoints").objectOrEmpty("kubeletEndpoint");
        if (endpoint.number("Port").orElse(0) != 0) {
            checks.between(
                    endpoint,
                    "Port",
                    ObjectChecks.STATUS.child("daemonEndpoints").child("kubeletEndpoint"),
                    1,
                    65535);
        }
    }

    /// The server connects only to a kubelet that presents the certificate with this fingerprint.
    private static void certificate(JsonObject node, ObjectChecks checks) {
        var annotations = node.objectOrEmpty("metadata").objectOrEmpty("annotations");
        var fingerprint = annotations.text(NodeTrustNames.SERVING_CERTIFICATE);
        if (!fingerprint.isEmpty() && Fingerprint.parse(fingerprint).isEmpty()) {
            checks.invalid(
                    ObjectChecks.METADATA
                            .child("annotations")
                            .key(NodeTrustNames.SERVING_CERTIFICATE),
                    fingerprint,
                    "must be a SHA-256 fingerprint: 64 hexadecimal digits");
        }
    }

    private static void amounts(JsonObject amounts, FieldPath path, ObjectChecks checks) {
        for (var name : amounts.names()) {
            checks.form(name, path, NameFormats.labelKey(name));
            ResourceQuantities.notNegative(amounts, name, path.key(name), checks);
            if (ResourceQuantities.isExtended(name)
                    && !ResourceQuantities.orZero(amounts, name).isInteger()) {
                checks.invalid(
                        path.key(name),
                        ResourceQuantities.text(amounts, name),
                        "must be an integer");
            }
        }
    }

    private static void node(JsonObject node, ObjectChecks checks) {
        certificate(node, checks);
        var seen = new HashSet<String>();
        checks.each(
                node.objectOrEmpty("spec"),
                "taints",
                ObjectChecks.SPEC,
                (taint, at) -> {
                    checks.form(
                            taint.text("key"),
                            at.child("key"),
                            NameFormats.labelKey(taint.text("key")));
                    if (!taint.text("value").isEmpty()) {
                        checks.form(
                                taint.text("value"),
                                at.child("value"),
                                NameFormats.labelValue(taint.text("value")));
                    }
                    checks.oneOf(taint, "effect", at, AffinityChecks.EFFECTS);
                    if (!seen.add(taint.text("key") + ":" + taint.text("effect"))) {
                        checks.add(FieldError.duplicate(at, taint));
                    }
                });
        var ranges = node.objectOrEmpty("spec").strings("podCIDRs");
        for (var i = 0; i < ranges.size(); i++) {
            if (!IpAddresses.isCidr(ranges.get(i))) {
                checks.invalid(
                        ObjectChecks.SPEC.child("podCIDRs").index(i),
                        ranges.get(i),
                        "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
            }
        }
    }
}
