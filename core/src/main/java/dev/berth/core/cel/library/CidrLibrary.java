package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.cost.SizeRange;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Kubernetes' CIDR library: `cidr("10.0.0.0/8")`.
final class CidrLibrary {

    /// Size of an address in the estimate, which does not know the address family.
    private static final SizeRange ADDRESS = new SizeRange(4, 16);

    private CidrLibrary() {}

    static List<Overload> overloads() {
        return List.of(
                IpLibrary.reading("cidr", "string_to_cidr", CelTypes.CIDR, Cidr::parse),
                IpLibrary.reading(
                        "isCIDR",
                        "is_cidr",
                        SimpleType.BOOL,
                        text -> Cidr.parse(text) instanceof Cidr),
                accessor(false, "string", "cidr_to_string", SimpleType.STRING, Cidr::toString),
                accessor(true, "ip", "cidr_ip", CelTypes.IP, Cidr::ip),
                accessor(
                        true,
                        "prefixLength",
                        "cidr_prefix_length",
                        SimpleType.INT,
                        cidr -> (long) cidr.prefix()),
                accessor(true, "masked", "cidr_masked", CelTypes.CIDR, Cidr::masked),
                contains("containsIP", "cidr_contains_ip_string", SimpleType.STRING),
                contains("containsIP", "cidr_contains_ip_ip", CelTypes.IP),
                contains("containsCIDR", "cidr_contains_cidr_string", SimpleType.STRING),
                contains("containsCIDR", "cidr_contains_cidr", CelTypes.CIDR));
    }

    private static Overload accessor(
            boolean member,
            String function,
            String id,
            CelType result,
            Function<Cidr, Object> read) {
        return new Overload(
                function,
                id,
                member,
                List.of(CelTypes.CIDR),
                result,
                arguments ->
                        arguments[0] instanceof Cidr cidr
                                ? read.apply(cidr)
                                : CelError.noSuchOverload(),
                Estimate.ONE,
                Charge.ONE);
    }

    private static Overload contains(String function, String id, CelType other) {
        var isText = other.equals(SimpleType.STRING);
        var isNetwork = function.equals("containsCIDR");
        BiFunction<Cidr, Object, Object> test =
                isNetwork ? CidrLibrary::containsCidr : CidrLibrary::containsIp;
        return new Overload(
                function,
                id,
                true,
                List.of(CelTypes.CIDR, other),
                SimpleType.BOOL,
                arguments ->
                        arguments[0] instanceof Cidr cidr
                                ? test.apply(cidr, arguments[1])
                                : CelError.noSuchOverload(),
                arguments -> CallEstimate.of(estimate(arguments, isNetwork, isText)),
                (arguments, _) -> charge(arguments, isNetwork, isText));
    }

    private static Object containsIp(Cidr cidr, Object other) {
        return switch (other instanceof String text ? Ip.parse(text) : other) {
            case Ip ip -> cidr.contains(ip);
            case CelError failure -> failure;
            default -> CelError.noSuchOverload();
        };
    }

    private static Object containsCidr(Cidr cidr, Object other) {
        return switch (other instanceof String text ? Cidr.parse(text) : other) {
            case Cidr inner -> cidr.contains(inner);
            case CelError failure -> failure;
            default -> CelError.noSuchOverload();
        };
    }

    /// Both addresses are scanned; a network is masked first, and a string is parsed first.
    private static CostRange estimate(
            List<ArgumentEstimate> arguments, boolean isNetwork, boolean isText) {
        var cost = ADDRESS.plus(ADDRESS).times(CallCharges.STRING_TRAVERSAL);
        if (isNetwork) {
            cost = cost.plus(ADDRESS.times(CallCharges.STRING_TRAVERSAL)).plus(CostRange.ONE);
        }
        return isText
                ? cost.plus(arguments.get(1).size().times(CallCharges.STRING_TRAVERSAL))
                : cost;
    }

    static long charge(Object[] arguments, boolean isNetwork, boolean isText) {
        var size = CelValues.sizeOf(arguments[0]);
        var cost = CallCharges.scaled(2 * size, CallCharges.STRING_TRAVERSAL);
        if (isNetwork) {
            cost += CallCharges.scaled(size, CallCharges.STRING_TRAVERSAL) + 1;
        }
        if (isText) {
            cost +=
                    CallCharges.scaled(
                            CelValues.sizeOf(arguments[1]), CallCharges.STRING_TRAVERSAL);
        }
        return cost;
    }
}
