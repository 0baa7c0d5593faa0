package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.library.Overload.Call;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.Function;

/// Kubernetes' IP library: `ip("10.0.0.1")`.
final class IpLibrary {

    private IpLibrary() {}

    static List<Overload> overloads() {
        return List.of(
                reading("ip", "string_to_ip", CelTypes.IP, Ip::parse),
                reading("isIP", "is_ip", SimpleType.BOOL, text -> Ip.parse(text) instanceof Ip),
                isCanonical(),
                accessor(false, "string", "ip_to_string", SimpleType.STRING, Ip::toString),
                accessor(true, "family", "ip_family", SimpleType.INT, Ip::family),
                test("isUnspecified", "ip_is_unspecified", Ip::isUnspecified),
                test("isLoopback", "ip_is_loopback", Ip::isLoopback),
                test(
                        "isLinkLocalMulticast",
                        "ip_is_link_local_multicast",
                        Ip::isLinkLocalMulticast),
                test("isLinkLocalUnicast", "ip_is_link_local_unicast", Ip::isLinkLocalUnicast),
                test("isGlobalUnicast", "ip_is_global_unicast", Ip::isGlobalUnicast));
    }

    static Overload reading(
            String function, String id, CelType result, Function<String, Object> read) {
        return new Overload(
                function,
                id,
                false,
                List.of(SimpleType.STRING),
                result,
                onText(read),
                CallCharges::traversal,
                (arguments, _) -> CallCharges.traversal(arguments));
    }

    private static Call onText(Function<String, Object> read) {
        return arguments ->
                arguments[0] instanceof String text ? read.apply(text) : CelError.noSuchOverload();
    }

    /// Costs twice as much as parsing: the result is formatted and compared.
    private static Overload isCanonical() {
        return new Overload(
                "ip.isCanonical",
                "ip_is_canonical",
                false,
                List.of(SimpleType.STRING),
                SimpleType.BOOL,
                onText(text ->
                        Ip.parse(text) instanceof Ip ip
                                ? ip.toString().equals(text)
                                : Ip.parse(text)),
                arguments ->
                        CallEstimate.of(
                                arguments
                                        .getFirst()
                                        .size()
                                        .times(2 * CallCharges.STRING_TRAVERSAL)),
                (arguments, _) -> CallCharges.twoTraversals(arguments));
    }

    private static Overload test(String function, String id, Function<Ip, Object> read) {
        return accessor(true, function, id, SimpleType.BOOL, read);
    }

    private static Overload accessor(
            boolean member, String function, String id, CelType result, Function<Ip, Object> read) {
        return new Overload(
                function,
                id,
                member,
                List.of(CelTypes.IP),
                result,
                arguments ->
                        arguments[0] instanceof Ip ip ? read.apply(ip) : CelError.noSuchOverload(),
                Estimate.ONE,
                Charge.ONE);
    }
}
