package dev.berth.drivers.nic;

import dev.berth.drivers.nic.NicParameters.Route;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// An interface assigned to a claim; written to the undo record before any change.
///
/// @param device device name
/// @param key identifier in its ifalias and in generated names
/// @param interfaceName name in the machine
/// @param podName name in the pod
/// @param addresses addresses in the pod
/// @param original original state of a moved interface; empty for a created one
record InterfaceLease(
        String device,
        String key,
        String interfaceName,
        String podName,
        String mac,
        List<String> addresses,
        OptionalLong mtu,
        List<Route> routes,
        Optional<OriginalState> original) {

    /// State of an interface before it was moved, to be restored.
    record OriginalState(Nic nic, String alias, boolean isUp, List<String> addresses) {
        OriginalState {
            addresses = List.copyOf(addresses);
        }
    }

    InterfaceLease {
        addresses = List.copyOf(addresses);
        routes = List.copyOf(routes);
    }

    /// The ifalias, by which the interface is found in any namespace.
    String alias() {
        return "berth:" + key;
    }

    /// Name of the pinned network namespace of the pod.
    String pin() {
        return "berth-" + key;
    }

    /// Name of the veth end that stays in the machine.
    String peer() {
        return "bvh" + key;
    }

    /// Shell variables for the hook; no value needs quoting.
    ///
    /// @param home name of the machine's namespace; empty for the default one
    String plan(String home) {
        var routeList =
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
                        routeList);
    }

    JsonObject tree() {
        var tree =
                JsonObject.of("device", Json.of(device))
                        .with("key", Json.of(key))
                        .with("interface", Json.of(interfaceName))
                        .with("podName", Json.of(podName))
                        .with("mac", Json.of(mac))
                        .with("addresses", texts(addresses));
        return original.map(state ->
                        tree.with(
                                "before",
                                JsonObject.of("nic", state.nic.tree())
                                        .with("alias", Json.of(state.alias))
                                        .with("up", Json.of(state.isUp))
                                        .with("addresses", texts(state.addresses))))
                .orElse(tree);
    }

    private static Json texts(List<String> all) {
        return Json.array(all.stream().map(Json::of).toList());
    }

    /// Reads the fields needed to undo the assignment; MTU and routes are not among them.
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
                        .map(state ->
                                new OriginalState(
                                        Nic.of(state.objectOrEmpty("nic")),
                                        state.text("alias"),
                                        state.flag("up").orElse(false),
                                        state.strings("addresses"))));
    }
}
