package dev.berth.server.kinds;

import static dev.berth.server.kinds.column.Columns.numberAt;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.IpAddresses;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.kinds.pod.ContainerChecks;
import dev.berth.server.kinds.pod.PodChecks;
import dev.berth.server.kinds.pod.PodDefaults;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Strategy;
import dev.berth.server.registry.TableColumn;
import java.util.ArrayList;
import java.util.List;

/// Resources that no controller of Berth uses, but that schedulers, proxies and kubectl watch and
/// wait for at startup.
final class StoredOnlyKinds {

    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final int MAX_ENDPOINTS = 1000;
    private static final int MAX_ADDRESSES = 100;

    private StoredOnlyKinds() {}

    static List<Resource> all() {
        return List.of(
                Resource.of("", "ReplicationController", replicationControllers())
                        .namespaced()
                        .withStatus()
                        .deleteReturnsStatus()
                        .shortNames("rc")
                        .categories("all")
                        .columns(replicaColumns())
                        .selectable(CoreKinds.numbers("status.replicas"))
                        .subresources(
                                WorkloadSubresources.scale(
                                        "",
                                        "replicationcontrollers",
                                        "ReplicationController",
                                        scaling()))
                        .build(),
                Resource.of("discovery.k8s.io", "EndpointSlice", endpointSlices())
                        .namespaced()
                        .deleteReturnsStatus()
                        .columns(sliceColumns())
                        .build());
    }

    private static Strategy replicationControllers() {
        return ComposedStrategy.namespaced()
                .storedOnly("ReplicationController")
                .withStatus(JsonObject.of("replicas", Json.of(0)))
                .countingGenerations()
                .defaults(StoredOnlyKinds::filledController)
                .checks((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    checks.notNegative(spec, "replicas", ObjectChecks.SPEC);
                    checks.notNegative(spec, "minReadySeconds", ObjectChecks.SPEC);
                    selector(spec, checks);
                    PodChecks.template(
                            spec.objectOrEmpty("template"),
                            ObjectChecks.SPEC.child("template"),
                            checks);
                });
    }

    /// The default selector is the labels of the template.
    private static JsonObject filledController(JsonObject controller) {
        var filled =
                DefaultsFiller.spec(
                        controller,
                        s ->
                                DefaultsFiller.of(PodDefaults.template(s))
                                        .number("replicas", 1)
                                        .done());
        var labels = labels(filled.objectOrEmpty("spec").objectOrEmpty("template"));
        if (labels.isEmpty()) {
            return filled;
        }
        var selecting =
                DefaultsFiller.spec(
                        filled, s -> DefaultsFiller.of(s).json("selector", labels).done());
        return DefaultsFiller.metadata(
                selecting, m -> DefaultsFiller.of(m).json("labels", labels).done());
    }

    private static JsonObject labels(JsonObject template) {
        return template.objectOrEmpty("metadata").objectOrEmpty("labels");
    }

    private static void selector(JsonObject spec, ObjectChecks checks) {
        var selector = spec.objectOrEmpty("selector");
        if (selector.isEmpty()) {
            checks.required(ObjectChecks.SPEC.child("selector"), "");
        }
        var labels = labels(spec.objectOrEmpty("template"));
        for (var name : selector.names()) {
            if (!selector.text(name).equals(labels.text(name))) {
                checks.invalid(
                        ObjectChecks.SPEC.child("template").child("metadata").child("labels"),
                        labels,
                        "`selector` does not match template `labels`");
                return;
            }
        }
    }

    private static WorkloadSubresources.Scaling scaling() {
        return new WorkloadSubresources.Scaling(
                o -> numberAt(o, "spec", "replicas"),
                o -> numberAt(o, "status", "replicas"),
                o -> {
                    var selector = o.objectOrEmpty("spec").objectOrEmpty("selector");
                    return selector.isEmpty() ? "" : SelectorChecks.labelsText(selector);
                },
                (o, n) -> DefaultsFiller.spec(o, s -> s.with("replicas", Json.of(n))));
    }

    private static List<TableColumn> replicaColumns() {
        return Columns.named()
                .number("Desired", "Desired pods", o -> numberAt(o, "spec", "replicas"))
                .number("Current", "Current pods", o -> numberAt(o, "status", "replicas"))
                .number("Ready", "Ready pods", o -> numberAt(o, "status", "readyReplicas"))
                .age()
                .list();
    }

    private static Strategy endpointSlices() {
        return ComposedStrategy.namespaced()
                .countingGenerations()
                .defaults(o ->
                        DefaultsFiller.of(o)
                                .each(
                                        "ports",
                                        port ->
                                                DefaultsFiller.of(port)
                                                        .text("name", "")
                                                        .text("protocol", "TCP")
                                                        .done())
                                .done())
                .checks(StoredOnlyKinds::slice)
                .checksUpdate((old, o, checks) ->
                        checks.immutable(old, o, "addressType", FieldPath.ROOT));
    }

    private static void slice(JsonObject slice, ObjectChecks checks) {
        checks.oneOf(slice, "addressType", FieldPath.ROOT, ADDRESS_TYPES);
        var count = slice.items("endpoints").size();
        if (count > MAX_ENDPOINTS) {
            checks.invalid(
                    FieldPath.of("endpoints"),
                    Json.of(count),
                    "must have at most " + MAX_ENDPOINTS + " items");
        }
        checks.each(
                slice,
                "endpoints",
                FieldPath.ROOT,
                (endpoint, at) -> addresses(slice.text("addressType"), endpoint, at, checks));
        checks.each(
                slice,
                "ports",
                FieldPath.ROOT,
                (port, at) -> checks.oneOf(port, "protocol", at, ContainerChecks.PROTOCOLS));
    }

    private static void addresses(
            String type, JsonObject endpoint, FieldPath path, ObjectChecks checks) {
        var all = endpoint.strings("addresses");
        var at = path.child("addresses");
        if (all.isEmpty()) {
            checks.required(at, "must contain at least 1 address");
        }
        if (all.size() > MAX_ADDRESSES) {
            checks.invalid(
                    at, Json.of(all.size()), "must have at most " + MAX_ADDRESSES + " items");
        }
        for (var i = 0; i < all.size(); i++) {
            var address = all.get(i);
            switch (type) {
                case "IPv4" -> {
                    if (!IpAddresses.isV4(address)) {
                        checks.invalid(at.index(i), address, "must be a valid IPv4 address");
                    }
                }
                case "IPv6" -> {
                    if (!IpAddresses.isV6(address)) {
                        checks.invalid(at.index(i), address, "must be a valid IPv6 address");
                    }
                }
                default -> checks.subdomain(address, at.index(i));
            }
        }
    }

    private static List<TableColumn> sliceColumns() {
        return Columns.named()
                .text("AddressType", "Address type", o -> o.text("addressType"))
                .text("Ports", "Ports of the endpoints", StoredOnlyKinds::ports)
                .text("Endpoints", "Addresses of the endpoints", StoredOnlyKinds::targets)
                .age()
                .list();
    }

    private static String ports(JsonObject slice) {
        var all = new ArrayList<String>();
        for (var port : slice.objects("ports")) {
            var number = port.number("port");
            all.add(number.isPresent() ? Long.toString(number.getAsLong()) : "*");
        }
        return all.isEmpty() ? "<unset>" : Columns.joined(all);
    }

    private static String targets(JsonObject slice) {
        var all = new ArrayList<String>();
        slice.objects("endpoints").forEach(one -> all.addAll(one.strings("addresses")));
        return all.isEmpty() ? "<unset>" : Columns.joined(all);
    }
}
