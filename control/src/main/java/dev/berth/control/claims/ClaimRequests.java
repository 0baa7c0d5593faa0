package dev.berth.control.claims;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.loop.ClaimCreateMetrics;
import dev.berth.core.lifecycle.ClaimCommand;
import dev.berth.core.lifecycle.ClaimOwner;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.PodResourceClaimStatus;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The API requests of the ResourceClaim controller.
final class ClaimRequests {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private final Cluster cluster;
    private final Codec codec = new Codec();
    private final ClaimCreateMetrics creates;

    ClaimRequests(Cluster cluster, ClaimCreateMetrics creates) {
        this.cluster = cluster;
        this.creates = creates;
    }

    RequestResult create(ResourceClaim claim) {
        var tree = codec.toTree(Kinds.RESOURCE_CLAIM, claim);
        return creates.count(
                claim, cluster.send(Request.Create.of(CLAIMS, claim.metadata().namespace(), tree)));
    }

    RequestResult send(ClaimCommand command) {
        var claim = command.claim();
        return switch (command) {
            case ClaimCommand.WriteStatus _ -> update(claim, "status");
            case ClaimCommand.Write _ -> update(claim, "");
            case ClaimCommand.Delete _ ->
                    cluster.send(
                            new Request.Delete(
                                    CLAIMS,
                                    claim.metadata().namespace(),
                                    claim.metadata().name(),
                                    Optional.of(claim.metadata().uid().value()),
                                    OptionalLong.empty()));
        };
    }

    private RequestResult update(ResourceClaim claim, String subresource) {
        return cluster.send(
                new Request.Update(
                        CLAIMS,
                        claim.metadata().namespace(),
                        claim.metadata().name(),
                        subresource,
                        codec.toSimilarTree(Kinds.RESOURCE_CLAIM, claim)));
    }

    /// Writes the complete `resourceClaimStatuses` of an owner.
    RequestResult record(ClaimOwner owner, List<PodResourceClaimStatus> statuses) {
        var entries =
                statuses.stream()
                        .map(status -> {
                            var entry = JsonObject.of("name", Json.of(status.name()));
                            return status.resourceClaimName()
                                    .map(name -> entry.with("resourceClaimName", Json.of(name)))
                                    .orElse(entry);
                        })
                        .toList();
        var patch =
                JsonObject.of("metadata", JsonObject.of("uid", Json.of(owner.uid().value())))
                        .with(
                                "status",
                                JsonObject.of("resourceClaimStatuses", Json.array(entries)));
        var kind =
                switch (owner.type()) {
                    case POD -> Kinds.POD;
                    case POD_GROUP -> Kinds.POD_GROUP;
                };
        return cluster.send(
                new Request.Patch(
                        ResourcePath.of(kind),
                        owner.ref().namespace(),
                        owner.ref().name(),
                        "status",
                        Request.PatchType.MERGE,
                        patch));
    }

    /// Reads from the server, not from a cache.
    RequestResult get(Kind<?> kind, ObjectRef ref) {
        return cluster.send(new Request.Get(ResourcePath.of(kind), ref.namespace(), ref.name()));
    }

    <T extends KubernetesObject> Optional<T> read(Kind<T> kind, JsonObject tree) {
        return codec.readTree(kind, tree, UnknownFieldPolicy.LENIENT).value();
    }
}
