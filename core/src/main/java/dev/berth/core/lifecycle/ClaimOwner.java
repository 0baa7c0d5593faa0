package dev.berth.core.lifecycle;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.OwnerReference;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodGroup;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.PodResourceClaimStatus;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Uid;
import java.util.List;
import java.util.Optional;

/// Somebody for whom claims are made from templates: a pod or a group of pods.
///
/// @param entries the claims that it uses
/// @param statuses which claims were made for them so far
public record ClaimOwner(
        Sort sort,
        ObjectRef ref,
        Uid uid,
        List<PodResourceClaim> entries,
        List<PodResourceClaimStatus> statuses) {

    /// What owns claims.
    public enum Sort {
        POD("v1", "Pod", "resource.kubernetes.io/pod-claim-name"),
        POD_GROUP(
                "scheduling.k8s.io/v1beta1",
                "PodGroup",
                "resource.kubernetes.io/podgroup-claim-name");

        private final String apiVersion;
        private final String kind;
        private final String annotation;

        Sort(String apiVersion, String kind, String annotation) {
            this.apiVersion = apiVersion;
            this.kind = kind;
            this.annotation = annotation;
        }

        public String kind() {
            return kind;
        }

        /// Under which claims say for which entry they were made.
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
                Sort.POD,
                pod.ref(),
                pod.metadata().uid(),
                pod.spec().resourceClaims(),
                pod.status().resourceClaimStatuses());
    }

    public static ClaimOwner of(PodGroup group) {
        return new ClaimOwner(
                Sort.POD_GROUP,
                group.ref(),
                group.metadata().uid(),
                group.resourceClaims(),
                group.resourceClaimStatuses());
    }

    public OwnerReference reference() {
        return OwnerReference.controller(sort.apiVersion, sort.kind, ref.name(), uid);
    }

    public boolean owns(ResourceClaim claim) {
        return claim.metadata().controller().map(OwnerReference::uid).equals(Optional.of(uid));
    }

    /// What the owner's status says of an entry.
    public Optional<PodResourceClaimStatus> status(String entry) {
        return statuses.stream().filter(status -> status.name().equals(entry)).findFirst();
    }

    public ObjectRef beside(String claim) {
        return new ObjectRef(ref.namespace(), claim);
    }
}
