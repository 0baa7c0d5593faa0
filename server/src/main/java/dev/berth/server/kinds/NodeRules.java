package dev.berth.server.kinds;

import dev.berth.core.admission.Formats;
import dev.berth.core.admission.Problem;
import dev.berth.model.certificate.Fingerprint;
import dev.berth.model.certificate.NodeTrust;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.server.nodes.NodeAddress;
import dev.berth.server.registry.Strategy;
import java.util.HashSet;
import java.util.List;

/// The rules of nodes. Kubernetes takes any text for an address; here it must be a host, since the
/// server connects to it.
final class NodeRules {

    private NodeRules() {}

    static Strategy nodes() {
        return PlainStrategy.cluster()
                .withStatusFromCreation()
                .defaults(node ->
                        Fill.of(node)
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
                Fill.of(status)
                        .in("capacity", Amounts::canonical)
                        .in("allocatable", Amounts::canonical);
        return status.has("capacity") && !status.has("allocatable")
                ? filled.set("allocatable", filled.done().objectOrEmpty("capacity")).done()
                : filled.done();
    }

    private static void status(JsonObject status, Checks checks) {
        for (var name : List.of("capacity", "allocatable")) {
            amounts(status.objectOrEmpty(name), Checks.STATUS.child(name), checks);
        }
        var seen = new HashSet<JsonObject>();
        checks.each(
                status,
                "addresses",
                Checks.STATUS,
                (address, at) -> {
                    if (!NodeAddress.isHost(address.text("address"))) {
                        checks.invalid(
                                at.child("address"),
                                address.text("address"),
                                "must be an IP address or a DNS name");
                    }
                    if (!seen.add(address)) {
                        checks.add(Problem.duplicate(at, address));
                    }
                });
        var endpoint = status.objectOrEmpty("daemonEndpoints").objectOrEmpty("kubeletEndpoint");
        if (endpoint.number("Port").orElse(0) != 0) {
            checks.between(
                    endpoint,
                    "Port",
                    Checks.STATUS.child("daemonEndpoints").child("kubeletEndpoint"),
                    1,
                    65535);
        }
    }

    /// The server connects only to the certificate with this fingerprint.
    private static void certificate(JsonObject node, Checks checks) {
        var annotations = node.objectOrEmpty("metadata").objectOrEmpty("annotations");
        var told = annotations.text(NodeTrust.SERVING_CERTIFICATE);
        if (!told.isEmpty() && Fingerprint.parse(told).isEmpty()) {
            checks.invalid(
                    Checks.METADATA.child("annotations").key(NodeTrust.SERVING_CERTIFICATE),
                    told,
                    "must be a SHA-256 fingerprint: 64 hexadecimal digits");
        }
    }

    private static void amounts(JsonObject amounts, FieldPath path, Checks checks) {
        for (var name : amounts.names()) {
            checks.form(name, path, Formats.labelKey(name));
            Amounts.notNegative(amounts, name, path.key(name), checks);
            if (Amounts.isExtended(name) && !Amounts.orZero(amounts, name).isInteger()) {
                checks.invalid(path.key(name), Amounts.text(amounts, name), "must be an integer");
            }
        }
    }

    private static void node(JsonObject node, Checks checks) {
        certificate(node, checks);
        var seen = new HashSet<String>();
        checks.each(
                node.objectOrEmpty("spec"),
                "taints",
                Checks.SPEC,
                (taint, at) -> {
                    checks.form(
                            taint.text("key"),
                            at.child("key"),
                            Formats.labelKey(taint.text("key")));
                    if (!taint.text("value").isEmpty()) {
                        checks.form(
                                taint.text("value"),
                                at.child("value"),
                                Formats.labelValue(taint.text("value")));
                    }
                    checks.oneOf(taint, "effect", at, AffinityChecks.EFFECTS);
                    if (!seen.add(taint.text("key") + ":" + taint.text("effect"))) {
                        checks.add(Problem.duplicate(at, taint));
                    }
                });
        var ranges = node.objectOrEmpty("spec").strings("podCIDRs");
        for (var i = 0; i < ranges.size(); i++) {
            if (!Addresses.isRange(ranges.get(i))) {
                checks.invalid(
                        Checks.SPEC.child("podCIDRs").index(i),
                        ranges.get(i),
                        "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
            }
        }
    }
}
