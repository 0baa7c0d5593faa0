package dev.berth.core.admission.validation;

import java.util.Optional;

/// Kinds with admission rules.
public enum AdmissionKind {
    DEVICE_CLASS("DeviceClass", false),
    RESOURCE_CLAIM("ResourceClaim", true),
    RESOURCE_CLAIM_TEMPLATE("ResourceClaimTemplate", true),
    RESOURCE_SLICE("ResourceSlice", false),
    DEVICE_TAINT_RULE("DeviceTaintRule", false),
    RESOURCE_POOL_STATUS_REQUEST("ResourcePoolStatusRequest", false),
    /// Only its DRA fields.
    POD("Pod", true),
    /// Only its DRA fields.
    POD_GROUP("PodGroup", true),
    /// Only its DRA fields.
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
