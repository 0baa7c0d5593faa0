package dev.berth.server.kinds;

import static dev.berth.server.kinds.Columns.numberAt;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Column;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Strategy;
import java.util.ArrayList;
import java.util.List;

/// Kinds that nothing here makes but that schedulers, proxies and kubectl follow, and wait for
/// before they do anything else.
final class FollowedKinds {

    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final int MAX_ENDPOINTS = 1000;
    private static final int MAX_ADDRESSES = 100;

    private FollowedKinds() {}

    static List<Resource> all() {
        return List.of(
                Resource.of("", "ReplicationController", replicationControllers())
                        .namespaced()
                        .withStatus()
                        .deletionAnswersStatus()
                        .shortNames("rc")
                        .categories("all")
                        .columns(replicaColumns())
                        .selectable(CoreKinds.numbers("status.replicas"))
                        .subresources(
                                OtherSubresources.scale(
                                        "",
                                        "replicationcontrollers",
                                        "ReplicationController",
                                        scaling()))
                        .build(),
                Resource.of("discovery.k8s.io", "EndpointSlice", endpointSlices())
                        .namespaced()
                        .deletionAnswersStatus()
                        .columns(sliceColumns())
                        .build());
    }

    private static Strategy replicationControllers() {
        return PlainStrategy.namespaced()
                .storedOnly("ReplicationController")
                .withStatus(JsonObject.of("replicas", Json.of(0)))
                .countingGenerations()
                .defaults(FollowedKinds::filledController)
                .checks((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    checks.notNegative(spec, "replicas", Checks.SPEC);
                    checks.notNegative(spec, "minReadySeconds", Checks.SPEC);
                    selector(spec, checks);
                    PodChecks.template(
                            spec.objectOrEmpty("template"), Checks.SPEC.child("template"), checks);
                });
    }

    /// What selects its pods is what they are labelled with, unless somebody says otherwise.
    private static JsonObject filledController(JsonObject controller) {
        var filled =
                Fill.spec(
                        controller,
                        s -> Fill.of(PodDefaults.template(s)).number("replicas", 1).done());
        var labels = labels(filled.objectOrEmpty("spec").objectOrEmpty("template"));
        if (labels.isEmpty()) {
            return filled;
        }
        var selecting = Fill.spec(filled, s -> Fill.of(s).json("selector", labels).done());
        return Fill.metadata(selecting, m -> Fill.of(m).json("labels", labels).done());
    }

    private static JsonObject labels(JsonObject template) {
        return template.objectOrEmpty("metadata").objectOrEmpty("labels");
    }

    private static void selector(JsonObject spec, Checks checks) {
        var wanted = spec.objectOrEmpty("selector");
        if (wanted.isEmpty()) {
            checks.required(Checks.SPEC.child("selector"), "");
        }
        var labels = labels(spec.objectOrEmpty("template"));
        for (var name : wanted.names()) {
            if (!wanted.text(name).equals(labels.text(name))) {
                checks.invalid(
                        Checks.SPEC.child("template").child("metadata").child("labels"),
                        labels,
                        "`selector` does not match template `labels`");
                return;
            }
        }
    }

    private static OtherSubresources.Scaling scaling() {
        return new OtherSubresources.Scaling(
                o -> numberAt(o, "spec", "replicas"),
                o -> numberAt(o, "status", "replicas"),
                o -> {
                    var selector = o.objectOrEmpty("spec").objectOrEmpty("selector");
                    return selector.isEmpty() ? "" : Selectors.labelsText(selector);
                },
                (o, n) -> Fill.spec(o, s -> s.with("replicas", Json.of(n))));
    }

    private static List<Column> replicaColumns() {
        return Columns.named()
                .number("Desired", "How many are wanted", o -> numberAt(o, "spec", "replicas"))
                .number("Current", "How many there are", o -> numberAt(o, "status", "replicas"))
                .number("Ready", "How many are ready", o -> numberAt(o, "status", "readyReplicas"))
                .age()
                .list();
    }

    private static Strategy endpointSlices() {
        return PlainStrategy.namespaced()
                .countingGenerations()
                .defaults(o ->
                        Fill.of(o)
                                .each(
                                        "ports",
                                        port ->
                                                Fill.of(port)
                                                        .text("name", "")
                                                        .text("protocol", "TCP")
                                                        .done())
                                .done())
                .checks(FollowedKinds::slice)
                .checksUpdate((old, o, checks) ->
                        checks.immutable(old, o, "addressType", FieldPath.ROOT));
    }

    private static void slice(JsonObject slice, Checks checks) {
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
                (port, at) -> checks.oneOf(port, "protocol", at, ContainerChecks.protocols()));
    }

    private static void addresses(String type, JsonObject endpoint, FieldPath path, Checks checks) {
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
                    if (!Addresses.isV4(address)) {
                        checks.invalid(at.index(i), address, "must be a valid IPv4 address");
                    }
                }
                case "IPv6" -> {
                    if (!Addresses.isV6(address)) {
                        checks.invalid(at.index(i), address, "must be a valid IPv6 address");
                    }
                }
                default -> checks.subdomain(address, at.index(i));
            }
        }
    }

    private static List<Column> sliceColumns() {
        return Columns.named()
                .text("AddressType", "What kind of addresses", o -> o.text("addressType"))
                .text("Ports", "Where they listen", FollowedKinds::ports)
                .text("Endpoints", "Where requests go", FollowedKinds::targets)
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
