package dev.berth.core.admission.gate;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A feature gate of Kubernetes 1.37 that affects devices.
///
/// A gate can be enabled only if the gates that it depends on are. A locked gate keeps its default.
public enum Gate {
    DYNAMIC_RESOURCE_ALLOCATION("DynamicResourceAllocation", Stage.GA, Switch.LOCKED_ON),
    DRA_ADMIN_ACCESS("DRAAdminAccess", Stage.GA, Switch.LOCKED_ON),
    DRA_PRIORITIZED_LIST("DRAPrioritizedList", Stage.GA, Switch.LOCKED_ON),
    DRA_EXTENDED_RESOURCE("DRAExtendedResource", Stage.GA, Switch.LOCKED_ON),
    DRA_RESOURCE_CLAIM_DEVICE_STATUS("DRAResourceClaimDeviceStatus", Stage.GA, Switch.LOCKED_ON),
    DRA_DEVICE_TAINTS("DRADeviceTaints", Stage.GA, Switch.ON),
    DRA_DEVICE_TAINT_RULES("DRADeviceTaintRules", Stage.GA, Switch.ON),
    DRA_CONSUMABLE_CAPACITY("DRAConsumableCapacity", Stage.BETA, Switch.ON),
    /// On by default only if no older version must be supported: see
    /// [FeatureGates#defaultsCompatibleWith].
    DRA_FRACTIONAL_CAPACITY_RANGE("DRAFractionalCapacityRange", Stage.BETA, Switch.OFF),
    DRA_DEVICE_BINDING_CONDITIONS("DRADeviceBindingConditions", Stage.BETA, Switch.ON),
    DRA_PARTITIONABLE_DEVICES("DRAPartitionableDevices", Stage.BETA, Switch.ON),
    DRA_RESOURCE_CLAIM_GRANULAR_STATUS_AUTHORIZATION(
            "DRAResourceClaimGranularStatusAuthorization", Stage.BETA, Switch.ON),
    DRA_SCHEDULER_FILTER_TIMEOUT("DRASchedulerFilterTimeout", Stage.BETA, Switch.ON),
    GENERIC_WORKLOAD("GenericWorkload", Stage.BETA, Switch.OFF),
    DRA_WORKLOAD_RESOURCE_CLAIMS("DRAWorkloadResourceClaims", Stage.BETA, Switch.OFF),
    DRA_LIST_TYPE_ATTRIBUTES("DRAListTypeAttributes", Stage.ALPHA, Switch.OFF),
    DRA_NODE_ALLOCATABLE_RESOURCES("DRANodeAllocatableResources", Stage.ALPHA, Switch.OFF),
    DRA_DERIVED_ATTRIBUTES("DRADerivedAttributes", Stage.ALPHA, Switch.OFF),
    DRA_DEVICE_COMPATIBILITY_GROUPS("DRADeviceCompatibilityGroups", Stage.ALPHA, Switch.OFF),
    NODE_DECLARED_FEATURES("NodeDeclaredFeatures", Stage.GA, Switch.LOCKED_ON),
    DRA_OPTIONAL_NODE_OPERATIONS("DRAOptionalNodeOperations", Stage.ALPHA, Switch.OFF),
    DRA_RESOURCE_POOL_STATUS("DRAResourcePoolStatus", Stage.ALPHA, Switch.OFF),
    DRA_PARTITIONABLE_DEVICES_TYPE("DRAPartitionableDevicesType", Stage.ALPHA, Switch.OFF),
    RESOURCE_HEALTH_STATUS("ResourceHealthStatus", Stage.BETA, Switch.ON),
    RESOURCE_HEALTH_STATUS_MESSAGE("ResourceHealthStatusMessage", Stage.BETA, Switch.ON),
    KUBELET_POD_RESOURCES_DYNAMIC_RESOURCES(
            "KubeletPodResourcesDynamicResources", Stage.GA, Switch.LOCKED_ON),
    KUBELET_POD_RESOURCES_GET("KubeletPodResourcesGet", Stage.GA, Switch.LOCKED_ON),
    DECLARATIVE_VALIDATION("DeclarativeValidation", Stage.GA, Switch.LOCKED_ON),
    DECLARATIVE_VALIDATION_BETA("DeclarativeValidationBeta", Stage.BETA, Switch.ON);

    /// Maturity of a feature.
    public enum Stage {
        ALPHA,
        BETA,
        GA;

        @Override
        public String toString() {
            return this == GA
                    ? "GA"
                    : name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
        }
    }

    private enum Switch {
        ON,
        OFF,
        LOCKED_ON
    }

    private final String gateName;
    private final Stage stage;
    private final Switch initially;

    Gate(String gateName, Stage stage, Switch initially) {
        this.gateName = gateName;
        this.stage = stage;
        this.initially = initially;
    }

    public static Optional<Gate> named(String name) {
        for (var gate : values()) {
            if (gate.gateName.equals(name)) {
                return Optional.of(gate);
            }
        }
        return Optional.empty();
    }

    /// The name in `--feature-gates`: `DRADeviceTaints`.
    public String gateName() {
        return gateName;
    }

    public Stage stage() {
        return stage;
    }

    public boolean onByDefault() {
        return initially != Switch.OFF;
    }

    public boolean locked() {
        return initially == Switch.LOCKED_ON;
    }

    /// The gates that must be enabled for this one.
    public Set<Gate> dependencies() {
        return switch (this) {
            case DYNAMIC_RESOURCE_ALLOCATION,
                    DRA_RESOURCE_CLAIM_DEVICE_STATUS,
                    GENERIC_WORKLOAD,
                    NODE_DECLARED_FEATURES,
                    KUBELET_POD_RESOURCES_DYNAMIC_RESOURCES,
                    KUBELET_POD_RESOURCES_GET,
                    DECLARATIVE_VALIDATION,
                    DECLARATIVE_VALIDATION_BETA ->
                    Set.of();
            case DRA_ADMIN_ACCESS,
                    DRA_PRIORITIZED_LIST,
                    DRA_EXTENDED_RESOURCE,
                    DRA_DEVICE_TAINTS,
                    DRA_CONSUMABLE_CAPACITY,
                    DRA_PARTITIONABLE_DEVICES,
                    DRA_SCHEDULER_FILTER_TIMEOUT,
                    DRA_LIST_TYPE_ATTRIBUTES,
                    DRA_NODE_ALLOCATABLE_RESOURCES,
                    DRA_DERIVED_ATTRIBUTES,
                    DRA_RESOURCE_POOL_STATUS,
                    RESOURCE_HEALTH_STATUS ->
                    EnumSet.of(DYNAMIC_RESOURCE_ALLOCATION);
            case DRA_DEVICE_TAINT_RULES -> EnumSet.of(DRA_DEVICE_TAINTS);
            case DRA_FRACTIONAL_CAPACITY_RANGE -> EnumSet.of(DRA_CONSUMABLE_CAPACITY);
            case DRA_DEVICE_BINDING_CONDITIONS, DRA_RESOURCE_CLAIM_GRANULAR_STATUS_AUTHORIZATION ->
                    EnumSet.of(DYNAMIC_RESOURCE_ALLOCATION, DRA_RESOURCE_CLAIM_DEVICE_STATUS);
            case DRA_WORKLOAD_RESOURCE_CLAIMS ->
                    EnumSet.of(DYNAMIC_RESOURCE_ALLOCATION, GENERIC_WORKLOAD);
            case DRA_DEVICE_COMPATIBILITY_GROUPS ->
                    EnumSet.of(DYNAMIC_RESOURCE_ALLOCATION, DRA_PARTITIONABLE_DEVICES);
            case DRA_OPTIONAL_NODE_OPERATIONS ->
                    EnumSet.of(DYNAMIC_RESOURCE_ALLOCATION, NODE_DECLARED_FEATURES);
            case DRA_PARTITIONABLE_DEVICES_TYPE ->
                    EnumSet.of(
                            DYNAMIC_RESOURCE_ALLOCATION,
                            DRA_PARTITIONABLE_DEVICES,
                            DRA_RESOURCE_POOL_STATUS);
            case RESOURCE_HEALTH_STATUS_MESSAGE -> EnumSet.of(RESOURCE_HEALTH_STATUS);
        };
    }

    @Override
    public String toString() {
        return gateName;
    }
}
