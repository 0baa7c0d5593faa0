package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodClaimReferences.Resolution;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the templates of claims that were not created yet, and the quotas that may refuse them.
/// The scheduler watches neither, since it needs them only to report why such a pod waits.
final class ClaimSourceReader {

    private static final ResourcePath TEMPLATES = ResourcePath.of(Kinds.RESOURCE_CLAIM_TEMPLATE);
    private static final ResourcePath QUOTAS = ResourcePath.of(Kinds.RESOURCE_QUOTA);

    private final Cluster cluster;
    private final Codec codec;

    ClaimSourceReader(Cluster cluster, Codec codec) {
        this.cluster = cluster;
        this.codec = codec;
    }

    /// The quotas of a namespace; none when they may not be read.
    List<ResourceQuota> quotas(String namespace) {
        var request = new Request.Get(QUOTAS, namespace, "");
        if (!(cluster.send(request) instanceof RequestResult.Done(var list))) {
            return List.of();
        }
        return list.objects("items").stream()
                .map(item ->
                        codec.readTree(Kinds.RESOURCE_QUOTA, item, UnknownFieldPolicy.LENIENT)
                                .orThrow())
                .toList();
    }

    /// The existing templates of a pod's entries without a claim; empty when one could not be read.
    Optional<List<ResourceClaimTemplate>> templates(Pod pod) {
        var found = new ArrayList<ResourceClaimTemplate>();
        for (var entry : pod.spec().resourceClaims()) {
            if (!(PodClaimReferences.resolve(pod, entry)
                    instanceof Resolution.NotCreated(var template))) {
                continue;
            }
            var request = new Request.Get(TEMPLATES, template.namespace(), template.name());
            switch (cluster.send(request)) {
                case RequestResult.Done(var tree) ->
                        found.add(
                                codec.readTree(
                                                Kinds.RESOURCE_CLAIM_TEMPLATE,
                                                tree,
                                                UnknownFieldPolicy.LENIENT)
                                        .orThrow());
                case RequestResult.Missing _ -> {}
                case RequestResult _ -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(found);
    }
}
