package dev.berth.core.admission;

import java.util.Optional;

/// The kinds that admission knows.
public enum AdmissionKind {
    DEVICE_CLASS("DeviceClass", false),
    RESOURCE_CLAIM("ResourceClaim", true),
    RESOURCE_CLAIM_TEMPLATE("ResourceClaimTemplate", true),
    RESOURCE_SLICE("ResourceSlice", false),
    DEVICE_TAINT_RULE("DeviceTaintRule", false),
    RESOURCE_POOL_STATUS_REQUEST("ResourcePoolStatusRequest", false),
    /// Only what devices add to it.
    POD("Pod", true),
    /// Only what devices add to it.
    POD_GROUP("PodGroup", true),
    /// Only what devices add to it.
    WORKLOAD("Workload", true);

    private final String kindName;
    private final boolean namespaced;

    AdmissionKind(String kindName, boolean namespaced) {
        this.kindName = kindName;
        this.namespaced = namespaced;
    }

    public static Optional<AdmissionKind> named(String name) {
        for (var kind : values()) {
            if (kind.kindName.equals(name)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    public boolean namespaced() {
        return namespaced;
    }

    @Override
    public String toString() {
        return kindName;
    }
}
