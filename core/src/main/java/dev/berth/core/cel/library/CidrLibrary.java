package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.Argument;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.Cost;
import dev.berth.core.cel.cost.Size;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Networks: `cidr("10.0.0.0/8")`.
final class CidrLibrary {

    /// The bytes of an address, for which the estimate does not know the family.
    private static final Size ADDRESS = new Size(4, 16);

    private CidrLibrary() {}

    static List<Overload> overloads() {
        return List.of(
                IpLibrary.reading("cidr", "string_to_cidr", Types.CIDR, Cidr::parse),
                IpLibrary.reading(
                        "isCIDR",
                        "is_cidr",
                        SimpleType.BOOL,
                        text -> Cidr.parse(text) instanceof Cidr),
                accessor(false, "string", "cidr_to_string", SimpleType.STRING, Cidr::toString),
                accessor(true, "ip", "cidr_ip", Types.IP, Cidr::ip),
                accessor(
                        true,
                        "prefixLength",
                        "cidr_prefix_length",
                        SimpleType.INT,
                        cidr -> (long) cidr.prefix()),
                accessor(true, "masked", "cidr_masked", Types.CIDR, Cidr::masked),
                contains("containsIP", "cidr_contains_ip_string", SimpleType.STRING),
                contains("containsIP", "cidr_contains_ip_ip", Types.IP),
                contains("containsCIDR", "cidr_contains_cidr_string", SimpleType.STRING),
                contains("containsCIDR", "cidr_contains_cidr", Types.CIDR));
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
                List.of(Types.CIDR),
                result,
                arguments ->
                        arguments[0] instanceof Cidr cidr
                                ? read.apply(cidr)
                                : Failure.noSuchOverload(),
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
                List.of(Types.CIDR, other),
                SimpleType.BOOL,
                arguments ->
                        arguments[0] instanceof Cidr cidr
                                ? test.apply(cidr, arguments[1])
                                : Failure.noSuchOverload(),
                arguments -> CallEstimate.of(estimate(arguments, isNetwork, isText)),
                (arguments, _) -> charge(arguments, isNetwork, isText));
    }

    private static Object containsIp(Cidr cidr, Object other) {
        return switch (other instanceof String text ? Ip.parse(text) : other) {
            case Ip ip -> cidr.contains(ip);
            case Failure failure -> failure;
            default -> Failure.noSuchOverload();
        };
    }

    private static Object containsCidr(Cidr cidr, Object other) {
        return switch (other instanceof String text ? Cidr.parse(text) : other) {
            case Cidr inner -> cidr.contains(inner);
            case Failure failure -> failure;
            default -> Failure.noSuchOverload();
        };
    }

    /// Both addresses are walked over; a network is masked first, and a text is read first.
    private static Cost estimate(List<Argument> arguments, boolean isNetwork, boolean isText) {
        var cost = ADDRESS.plus(ADDRESS).times(Charges.STRING_TRAVERSAL);
        if (isNetwork) {
            cost = cost.plus(ADDRESS.times(Charges.STRING_TRAVERSAL)).plus(Cost.ONE);
        }
        return isText ? cost.plus(arguments.get(1).size().times(Charges.STRING_TRAVERSAL)) : cost;
    }

    static long charge(Object[] arguments, boolean isNetwork, boolean isText) {
        var size = Values.sizeOf(arguments[0]);
        var cost = Charges.scaled(2 * size, Charges.STRING_TRAVERSAL);
        if (isNetwork) {
            cost += Charges.scaled(size, Charges.STRING_TRAVERSAL) + 1;
        }
        if (isText) {
            cost += Charges.scaled(Values.sizeOf(arguments[1]), Charges.STRING_TRAVERSAL);
        }
        return cost;
    }
}
