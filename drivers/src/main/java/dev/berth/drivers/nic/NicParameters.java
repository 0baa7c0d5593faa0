package dev.berth.drivers.nic;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Claim parameters of the network interface driver.
///
/// @param name interface name in the pod
/// @param mode macvlan mode
/// @param addresses addresses with prefix length; empty to use one of the range, or the addresses
///   of the moved interface
record NicParameters(
        Optional<String> name,
        String mode,
        List<String> addresses,
        OptionalLong mtu,
        List<Route> routes) {

    /// A route.
    ///
    /// @param to destination network, or `default`
    /// @param via gateway; empty for a directly connected network
    record Route(String to, String via) {}

    private static final int MAX_NAME = 15;
    private static final long MIN_MTU = 68;
    private static final long MAX_MTU = 65_535;
    private static final List<String> MODES = List.of("bridge", "private", "vepa", "passthru");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

    static final NicParameters DEFAULTS =
            new NicParameters(
                    Optional.empty(), MODES.getFirst(), List.of(), OptionalLong.empty(), List.of());

    static final Parameters<NicParameters> PARAMETERS =
            Parameters.of("nic.berth.dev/v1", "Interface", NicParameters::read, DEFAULTS);

    NicParameters {
        addresses = List.copyOf(addresses);
        routes = List.copyOf(routes);
    }

    static boolean isName(String name) {
        return name.length() <= MAX_NAME && NAME.matcher(name).matches();
    }

    private static NicParameters read(ParameterFields fields) {
        var name = fields.text("name");
        if (name.isPresent() && (!isName(name.get()) || name.get().equals("lo"))) {
            fields.refuse("name", "\"%s\" is not a valid interface name".formatted(name.get()));
        }
        var addresses = fields.texts("addresses");
        for (var address : addresses) {
            if (!isNetwork(address)) {
                fields.refuse(
                        "addresses",
                        "\"%s\" is not an address like 10.1.2.3/24".formatted(address));
            }
        }
        return new NicParameters(
                name,
                fields.oneOf("mode", MODES).orElse(MODES.getFirst()),
                addresses,
                fields.number("mtu", MIN_MTU, MAX_MTU),
                fields.objects("routes", NicParameters::route));
    }

    private static Route route(ParameterFields fields) {
        var to = fields.text("to").orElse("");
        if (!to.equals("default") && !isNetwork(to)) {
            fields.refuse(
                    "to", "\"%s\" is neither default nor a network like 10.0.0.0/8".formatted(to));
        }
        var via = fields.text("via").orElse("");
        if (!via.isEmpty() && AddressRange.address(via).isEmpty()) {
            fields.refuse("via", "\"%s\" is not an address".formatted(via));
        }
        return new Route(to, via);
    }

    private static boolean isNetwork(String text) {
        var slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            return false;
        }
        var raw = AddressRange.address(text.substring(0, slash));
        return raw.isPresent()
                && Integer.parseInt(text.substring(slash + 1)) <= raw.get().length * Byte.SIZE;
    }
}
