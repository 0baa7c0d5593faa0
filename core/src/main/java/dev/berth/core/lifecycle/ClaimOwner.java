package dev.berth.core.lifecycle;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.api.pod.PodResourceClaimStatus;
import java.util.List;
import java.util.Optional;

/// The owner of claims that are created from templates: a pod or a pod group.
///
/// @param entries of `spec.resourceClaims`
/// @param statuses `resourceClaimStatuses`: the claims created so far
public record ClaimOwner(
        Type type,
        ObjectRef ref,
        Uid uid,
        List<PodResourceClaim> entries,
        List<PodResourceClaimStatus> statuses) {

    /// The kind of the owner.
    public enum Type {
        POD("v1", "Pod", "resource.kubernetes.io/pod-claim-name"),
        POD_GROUP(
                "scheduling.k8s.io/v1beta1",
                "PodGroup",
                "resource.kubernetes.io/podgroup-claim-name");

        private final String apiVersion;
        private final String kind;
        private final String annotation;

        Type(String apiVersion, String kind, String annotation) {
            this.apiVersion = apiVersion;
            this.kind = kind;
            this.annotation = annotation;
        }

        public String kind() {
            return kind;
        }

        /// The annotation of a claim that names the entry it was created for.
        public String annotation() {
            return annotation;
        }
    }

    public ClaimOwner {
        entries = List.copyOf(entries);
        statuses = List.copyOf(statuses);
    }

    public static ClaimOwner of(Pod pod) {
        return new ClaimOwner(
                Type.POD,
                pod.ref(),
                pod.metadata().uid(),
                pod.spec().resourceClaims(),
                pod.status().resourceClaimStatuses());
    }

    public static ClaimOwner of(PodGroup group) {
        return new ClaimOwner(
                Type.POD_GROUP,
                group.ref(),
                group.metadata().uid(),
                group.resourceClaims(),
                group.resourceClaimStatuses());
    }

    public OwnerReference reference() {
        return OwnerReference.controller(type.apiVersion, type.kind, ref.name(), uid);
    }

    public boolean owns(ResourceClaim claim) {
        return claim.metadata().controller().map(OwnerReference::uid).equals(Optional.of(uid));
    }

    /// The status of an entry.
    public Optional<PodResourceClaimStatus> status(String entry) {
        return statuses.stream().filter(status -> status.name().equals(entry)).findFirst();
    }

    public ObjectRef claimRef(String claim) {
        return new ObjectRef(ref.namespace(), claim);
    }
}
