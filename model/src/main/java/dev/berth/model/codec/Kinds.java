package dev.berth.model.codec;

import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.api.slice.ResourcePoolStatusRequest;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.codec.mapping.AdminMappings;
import dev.berth.model.codec.mapping.ClaimMappings;
import dev.berth.model.codec.mapping.NamespaceMappings;
import dev.berth.model.codec.mapping.NodeMappings;
import dev.berth.model.codec.mapping.PodMappings;
import dev.berth.model.codec.mapping.PoolStatusMappings;
import dev.berth.model.codec.mapping.SliceMappings;
import dev.berth.model.codec.mapping.StorageMappings;
import java.util.List;
import java.util.Optional;

/// All kinds that are mapped to records.
public final class Kinds {

    /// The API group of dynamic resource allocation.
    public static final String RESOURCE_GROUP = "resource.k8s.io";

    public static final Kind<ResourceSlice> RESOURCE_SLICE =
            Kind.of(RESOURCE_GROUP, "ResourceSlice", SliceMappings.SLICE)
                    .plural("resourceslices")
                    .versions("v1", "v1beta2", "v1beta1")
                    .build();

    public static final Kind<ResourceClaim> RESOURCE_CLAIM =
            Kind.of(RESOURCE_GROUP, "ResourceClaim", ClaimMappings.CLAIM)
                    .plural("resourceclaims")
                    .namespaced()
                    .withStatus()
                    .versions("v1", "v1beta2", "v1beta1")
                    .build();

    public static final Kind<ResourceClaimTemplate> RESOURCE_CLAIM_TEMPLATE =
            Kind.of(RESOURCE_GROUP, "ResourceClaimTemplate", ClaimMappings.TEMPLATE)
                    .plural("resourceclaimtemplates")
                    .namespaced()
                    .versions("v1", "v1beta2", "v1beta1")
                    .build();

    public static final Kind<DeviceClass> DEVICE_CLASS =
            Kind.of(RESOURCE_GROUP, "DeviceClass", AdminMappings.CLASS)
                    .plural("deviceclasses")
                    .versions("v1", "v1beta2", "v1beta1")
                    .build();

    public static final Kind<DeviceTaintRule> DEVICE_TAINT_RULE =
            Kind.of(RESOURCE_GROUP, "DeviceTaintRule", AdminMappings.RULE)
                    .plural("devicetaintrules")
                    .withStatus()
                    .versions("v1", "v1beta2", "v1alpha3")
                    .build();

    public static final Kind<ResourcePoolStatusRequest> RESOURCE_POOL_STATUS_REQUEST =
            Kind.of(RESOURCE_GROUP, "ResourcePoolStatusRequest", PoolStatusMappings.REQUEST)
                    .plural("resourcepoolstatusrequests")
                    .withStatus()
                    .versions("v1alpha3")
                    .build();

    public static final Kind<Pod> POD =
            Kind.of("", "Pod", PodMappings.POD).plural("pods").namespaced().withStatus().build();

    public static final Kind<Node> NODE =
            Kind.of("", "Node", NodeMappings.NODE).plural("nodes").withStatus().build();

    public static final Kind<PersistentVolumeClaim> PERSISTENT_VOLUME_CLAIM =
            Kind.of("", "PersistentVolumeClaim", StorageMappings.CLAIM)
                    .plural("persistentvolumeclaims")
                    .namespaced()
                    .withStatus()
                    .build();

    public static final Kind<PersistentVolume> PERSISTENT_VOLUME =
            Kind.of("", "PersistentVolume", StorageMappings.VOLUME)
                    .plural("persistentvolumes")
                    .withStatus()
                    .build();

    public static final Kind<StorageClass> STORAGE_CLASS =
            Kind.of("storage.k8s.io", "StorageClass", StorageMappings.STORAGE_CLASS)
                    .plural("storageclasses")
                    .build();

    public static final Kind<ResourceQuota> RESOURCE_QUOTA =
            Kind.of("", "ResourceQuota", NamespaceMappings.QUOTA)
                    .plural("resourcequotas")
                    .namespaced()
                    .withStatus()
                    .build();

    public static final Kind<PodGroup> POD_GROUP =
            Kind.of("scheduling.k8s.io", "PodGroup", NamespaceMappings.POD_GROUP)
                    .plural("podgroups")
                    .namespaced()
                    .withStatus()
                    .versions("v1beta1")
                    .build();

    private static final List<Kind<?>> ALL =
            List.of(
                    RESOURCE_SLICE,
                    RESOURCE_CLAIM,
                    RESOURCE_CLAIM_TEMPLATE,
                    DEVICE_CLASS,
                    DEVICE_TAINT_RULE,
                    RESOURCE_POOL_STATUS_REQUEST,
                    POD,
                    NODE,
                    PERSISTENT_VOLUME_CLAIM,
                    PERSISTENT_VOLUME,
                    STORAGE_CLASS,
                    RESOURCE_QUOTA,
                    POD_GROUP);

    private Kinds() {}

    public static List<Kind<?>> all() {
        return ALL;
    }

    /// The kind with this `apiVersion` and `kind`.
    public static Optional<Kind<?>> byApiVersionAndKind(String apiVersion, String kind) {
        for (var one : ALL) {
            if (one.name().equals(kind) && serves(one, apiVersion)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /// The kind with this group, version and plural name, such as `resource.k8s.io`, `v1`,
    /// `resourceslices`.
    public static Optional<Kind<?>> byAddress(String group, String version, String plural) {
        for (var one : ALL) {
            if (one.group().equals(group)
                    && one.plural().equals(plural)
                    && one.versions().contains(version)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    private static boolean serves(Kind<?> kind, String apiVersion) {
        return kind.versions().stream()
                .anyMatch(version -> kind.apiVersion(version).equals(apiVersion));
    }
}
