package dev.berth.control.claims;

import dev.berth.client.cache.CacheIndex;
import dev.berth.client.cache.ObjectCache;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodClaimSource;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.codec.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Informer caches of pods, claims, templates and pod groups, with indexes between them.
final class ClaimView {

    final ObjectCache<Pod> pods;
    final ObjectCache<ResourceClaim> claims;
    final ObjectCache<ResourceClaimTemplate> templates;
    final Optional<ObjectCache<PodGroup>> groups;
    final CacheIndex<ObjectRef, Pod> podsByClaim;
    final CacheIndex<ObjectRef, Pod> podsByTemplate;
    final CacheIndex<ObjectRef, Pod> podsByGroup;
    final CacheIndex<Uid, ResourceClaim> claimsByOwner;

    /// @param withGroups whether pod groups have claims (gate `DRAWorkloadResourceClaims`)
    ClaimView(SharedCaches caches, boolean withGroups) {
        pods = caches.of(Kinds.POD);
        claims = caches.of(Kinds.RESOURCE_CLAIM);
        templates = caches.of(Kinds.RESOURCE_CLAIM_TEMPLATE);
        groups = withGroups ? Optional.of(caches.of(Kinds.POD_GROUP)) : Optional.empty();
        podsByClaim = pods.index(PodClaimReferences::all);
        podsByTemplate = pods.index(pod -> templates(ClaimOwner.of(pod)));
        podsByGroup = pods.index(pod -> groupOf(pod).stream().toList());
        claimsByOwner =
                claims.index(claim ->
                        claim.metadata().controller().map(OwnerReference::uid).stream().toList());
    }

    static List<ObjectRef> templates(ClaimOwner owner) {
        var names = new ArrayList<ObjectRef>();
        for (var entry : owner.entries()) {
            if (entry.source() instanceof PodClaimSource.TemplateName(var name)) {
                names.add(owner.claimRef(name));
            }
        }
        return names;
    }

    /// The pod group of a pod, if pod groups have claims.
    Optional<ObjectRef> groupOf(Pod pod) {
        return pod.spec()
                .podGroupName()
                .filter(_ -> groups.isPresent())
                .map(name -> new ObjectRef(pod.metadata().namespace(), name));
    }

    Optional<PodGroup> group(ObjectRef ref) {
        return groups.flatMap(cache -> cache.find(ref));
    }
}
