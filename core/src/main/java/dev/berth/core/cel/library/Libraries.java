package dev.berth.core.cel.library;

import dev.berth.core.cel.library.Overload.Charge;
import java.util.List;

/// All function libraries, with the Kubernetes version that introduced them.
public enum Libraries {
    URL(0),
    REGEX(0),
    KUBERNETES_LISTS(0),
    OPTIONALS(28),
    QUANTITY(28),
    STRINGS(29),
    SETS(29),
    IP(30),
    CIDR(30),
    FORMAT(31),
    SEMVER(33),
    LISTS(34),
    /// The functions that version 1 of Kubernetes' lists library adds to version 0. Devices have
    /// them one version earlier if their attributes may be lists.
    INCLUDES(37);

    private final int sinceMinor;

    Libraries(int sinceMinor) {
        this.sinceMinor = sinceMinor;
    }

    public boolean isIn(int minor) {
        return minor >= sinceMinor;
    }

    public List<Overload> overloads() {
        return switch (this) {
            case URL -> UrlLibrary.overloads();
            case REGEX -> RegexLibrary.overloads();
            case KUBERNETES_LISTS -> KubernetesListsLibrary.overloads();
            case OPTIONALS -> OptionalsExtension.overloads();
            case QUANTITY -> QuantityLibrary.overloads();
            case STRINGS -> StringsExtension.overloads();
            case SETS -> SetsLibrary.overloads();
            case IP -> IpLibrary.overloads();
            case CIDR -> CidrLibrary.overloads();
            case FORMAT -> FormatLibrary.overloads();
            case SEMVER -> SemverLibrary.overloads();
            case LISTS -> ListsExtension.overloads();
            case INCLUDES -> KubernetesListsLibrary.includes();
        };
    }

    /// Estimate of a call with several candidate overloads: without a single overload, Kubernetes
    /// estimates by function name, and some costs depend on the overload.
    ///
    /// @param candidates overloads of the same function; at least two
    public static Charge charge(List<Overload> candidates) {
        var first = candidates.getFirst();
        return switch (first.function()) {
            case "sort", "@sortByAssociatedKeys" -> Charge.ONE;
            case "containsIP" -> (arguments, _) -> CidrLibrary.charge(arguments, false, false);
            case "containsCIDR" -> (arguments, _) -> CidrLibrary.charge(arguments, true, false);
            default -> first.charge();
        };
    }
}
