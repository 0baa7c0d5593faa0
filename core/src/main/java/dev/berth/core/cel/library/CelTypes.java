package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.TypeParamType;

/// The CEL types that Kubernetes adds, by the names in its messages.
public final class CelTypes {

    public static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    public static final CelType SEMVER = OpaqueType.create("kubernetes.Semver");
    public static final CelType URL = OpaqueType.create("kubernetes.URL");
    public static final CelType IP = OpaqueType.create("net.IP");
    public static final CelType CIDR = OpaqueType.create("net.CIDR");
    public static final CelType NAMED_FORMAT = OpaqueType.create("kubernetes.NamedFormat");

    static final CelType A = TypeParamType.create("A");
    static final CelType T = TypeParamType.create("T");

    private CelTypes() {}

    static CelType listOf(CelType element) {
        return ListType.create(element);
    }
}
