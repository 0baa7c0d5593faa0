package dev.berth.core.snapshot;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Special ResourceClaims for extended resources of pods.
public final class ExtendedResourceClaims {

    public static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";

    private ExtendedResourceClaims() {}

    /// An in-memory claim before the API server creates it. Its name is invalid in the API and
    /// unique per pod, so that it can be assumed like other claims.
    public static ResourceClaim inMemory(Pod pod, ResourceClaimSpec spec) {
        var ref = inMemoryOf(pod.metadata().namespace(), pod.metadata().name());
        var metadata = ObjectMeta.of(ref.namespace(), ref.name());
        return new ResourceClaim(metadata, spec, ResourceClaimStatus.EMPTY);
    }

    private static ObjectRef inMemoryOf(String namespace, String pod) {
        return new ObjectRef(namespace, "<extended-resources> of " + pod);
    }

    /// The placeholder name of a claim before the API server assigned its name.
    public static Optional<ObjectRef> inMemoryOf(ResourceClaim claim) {
        var namespace = claim.metadata().namespace();
        return podOf(claim).isPresent()
                ? claim.metadata().controller().map(pod -> inMemoryOf(namespace, pod.name()))
                : Optional.empty();
    }

    /// The name that the API server might give the claim, for plans.
    public static ObjectRef expectedRef(Pod pod) {
        var prefix = pod.metadata().name() + "-extended-resources-";
        return new ObjectRef(
                pod.metadata().namespace(), GeneratedNames.of(prefix, pod, "extended-resources"));
    }

    /// The claim to be created.
    public static ResourceClaim newClaim(Pod pod, ResourceClaimSpec spec) {
        var meta = pod.metadata();
        var owner =
                new OwnerReference(
                        "v1", "Pod", meta.name(), meta.uid(), Optional.of(true), Optional.of(true));
        var metadata =
                ObjectMeta.of(meta.namespace(), "")
                        .withGenerateName(meta.name() + "-extended-resources-")
                        .withAnnotations(Map.of(ANNOTATION, "true"))
                        .withOwnerReferences(List.of(owner));
        return new ResourceClaim(metadata, spec, ResourceClaimStatus.EMPTY);
    }

    /// The UID of the pod that owns a special claim.
    public static Optional<Uid> podOf(ResourceClaim claim) {
        return "true".equals(claim.metadata().annotations().get(ANNOTATION))
                ? claim.metadata().controller().map(OwnerReference::uid)
                : Optional.empty();
    }
}
