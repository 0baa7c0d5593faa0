package dev.berth.drivers.nic;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// What a claim may say about an interface.
///
/// @param name in the pod
/// @param mode of a macvlan
/// @param addresses with the length of the prefix; none for one of the range, or those that the
///   interface has
record NicParameters(
        Optional<String> name,
        String mode,
        List<String> addresses,
        OptionalLong mtu,
        List<Route> routes) {

    /// Where to send what is for a net.
    ///
    /// @param to a net, or `default`
    /// @param via empty for straight onto the cable
    record Route(String to, String via) {}

    private static final int MAX_NAME = 15;
    private static final long MIN_MTU = 68;
    private static final long MAX_MTU = 65_535;
    private static final List<String> MODES = List.of("bridge", "private", "vepa", "passthru");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

    static final NicParameters USUAL =
            new NicParameters(
                    Optional.empty(), MODES.getFirst(), List.of(), OptionalLong.empty(), List.of());

    static final Parameters<NicParameters> PARAMETERS =
            Parameters.of("nic.berth.dev/v1", "Interface", NicParameters::read, USUAL);

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
            fields.refuse("name", "\"%s\" cannot be the name of one".formatted(name.get()));
        }
        var addresses = fields.texts("addresses");
        for (var address : addresses) {
            if (!isNet(address)) {
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
        if (!to.equals("default") && !isNet(to)) {
            fields.refuse("to", "\"%s\" is neither default nor a net".formatted(to));
        }
        var via = fields.text("via").orElse("");
        if (!via.isEmpty() && AddressRange.address(via).isEmpty()) {
            fields.refuse("via", "\"%s\" is not an address".formatted(via));
        }
        return new Route(to, via);
    }

    private static boolean isNet(String text) {
        var slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            return false;
        }
        var raw = AddressRange.address(text.substring(0, slash));
        return raw.isPresent()
                && Integer.parseInt(text.substring(slash + 1)) <= raw.get().length * Byte.SIZE;
    }
}
