package dev.berth.drivers.nic;

import dev.berth.drivers.nic.NicParameters.Route;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// An interface that a claim has: what was decided before anything is done.
///
/// @param device its name
/// @param key by which it is known in the machine: in its alias, and in names that are made
/// @param interfaceName in the machine
/// @param podName in the pod
/// @param addresses in the pod
/// @param before what it was, if it is moved; nothing for one that is made
record InterfaceLease(
        String device,
        String key,
        String interfaceName,
        String podName,
        String mac,
        List<String> addresses,
        OptionalLong mtu,
        List<Route> routes,
        Optional<Before> before) {

    /// What an interface was before it moved, and is to be again.
    record Before(Nic nic, String alias, boolean isUp, List<String> addresses) {
        Before {
            addresses = List.copyOf(addresses);
        }
    }

    InterfaceLease {
        addresses = List.copyOf(addresses);
        routes = List.copyOf(routes);
    }

    /// By what it is found wherever it is.
    String alias() {
        return "berth:" + key;
    }

    /// The name that keeps the pod's network.
    String pin() {
        return "berth-" + key;
    }

    /// The end that stays in the machine, if it is a cable.
    String otherEnd() {
        return "bvh" + key;
    }

    /// As the hook reads it; nothing in it needs to be quoted.
    ///
    /// @param home the namespace's name, empty for that of the machine
    String plan(String home) {
        var ways =
                routes.stream()
                        .map(route -> route.to() + "," + route.via())
                        .collect(Collectors.joining(" "));
        return """
        interface='%s'
        pod_name='%s'
        alias='%s'
        pin='%s'
        home='%s'
        mtu='%s'
        addresses='%s'
        routes='%s'
        """
                .formatted(
                        interfaceName,
                        podName,
                        alias(),
                        pin(),
                        home,
                        mtu.isPresent() ? Long.toString(mtu.getAsLong()) : "",
                        String.join(" ", addresses),
                        ways);
    }

    JsonObject tree() {
        var tree =
                JsonObject.of("device", Json.of(device))
                        .with("key", Json.of(key))
                        .with("interface", Json.of(interfaceName))
                        .with("podName", Json.of(podName))
                        .with("mac", Json.of(mac))
                        .with("addresses", texts(addresses));
        return before.map(was ->
                        tree.with(
                                "before",
                                JsonObject.of("nic", was.nic.tree())
                                        .with("alias", Json.of(was.alias))
                                        .with("up", Json.of(was.isUp))
                                        .with("addresses", texts(was.addresses))))
                .orElse(tree);
    }

    private static Json texts(List<String> all) {
        return Json.array(all.stream().map(Json::of).toList());
    }

    /// What it takes to give it back; routes and the like are the pod's alone.
    static InterfaceLease of(JsonObject tree) {
        return new InterfaceLease(
                tree.text("device"),
                tree.text("key"),
                tree.text("interface"),
                tree.text("podName"),
                tree.text("mac"),
                tree.strings("addresses"),
                OptionalLong.empty(),
                List.of(),
                tree.object("before")
                        .map(was ->
                                new Before(
                                        Nic.of(was.objectOrEmpty("nic")),
                                        was.text("alias"),
                                        was.flag("up").orElse(false),
                                        was.strings("addresses"))));
    }
}
