package dev.berth.drivers.sim;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Outcome;
import dev.berth.client.Request;
import dev.berth.core.publish.DesiredPool;
import dev.berth.core.publish.Publication;
import dev.berth.core.publish.SliceCommand;
import dev.berth.model.api.OwnerReference;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.Uid;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.Strictness;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// Publishes pools: finds out what has to be written, and writes it.
final class SlicePublisher {

    private static final Address SLICES = Address.of(Kinds.RESOURCE_SLICE);

    private final Cluster cluster;
    private final SeenSlices seen;
    private final Codec codec = new Codec();

    SlicePublisher(Cluster cluster, SeenSlices seen) {
        this.cluster = cluster;
        this.seen = seen;
    }

    /// Publishes the pools of a node; the first outcome that is not success, if there is one.
    Optional<Outcome> publish(String node, String uid, List<DesiredPool> pools) {
        var owner = OwnerReference.controller("v1", "Node", node, new Uid(uid));
        var names = pools.stream().map(DesiredPool::id).collect(Collectors.toSet());
        // What others have published for the node by hand is none of our business.
        var current =
                seen.of(node).stream()
                        .filter(slice ->
                                names.contains(slice.poolId())
                                        || slice.metadata().ownerReferences().contains(owner))
                        .toList();
        return write(new Publication(List.of(owner)).commands(pools, current));
    }

    /// Publishes the pools that belong to no node.
    Optional<Outcome> publish(List<DesiredPool> pools) {
        var names = pools.stream().map(DesiredPool::id).collect(Collectors.toSet());
        var current = seen.of("").stream().filter(slice -> names.contains(slice.poolId())).toList();
        return write(new Publication(List.of()).commands(pools, current));
    }

    private Optional<Outcome> write(List<SliceCommand> commands) {
        for (var command : commands) {
            var outcome = cluster.send(request(command));
            var isGone =
                    outcome instanceof Outcome.Missing && command instanceof SliceCommand.Delete;
            if (outcome instanceof Outcome.Done(var object)) {
                note(command, object);
            } else if (isGone) {
                note(command, JsonObject.EMPTY);
            } else {
                return Optional.of(outcome);
            }
        }
        return Optional.empty();
    }

    private Request request(SliceCommand command) {
        return switch (command) {
            case SliceCommand.Create(var slice) -> Request.Create.of(SLICES, "", tree(slice));
            case SliceCommand.Update(var slice) ->
                    new Request.Update(SLICES, "", slice.metadata().name(), "", tree(slice));
            case SliceCommand.Delete(var slice) ->
                    new Request.Delete(
                            SLICES,
                            "",
                            slice.metadata().name(),
                            Optional.of(slice.metadata().uid().value()),
                            OptionalLong.empty());
        };
    }

    private JsonObject tree(ResourceSlice slice) {
        return codec.toTree(Kinds.RESOURCE_SLICE, slice);
    }

    private void note(SliceCommand command, JsonObject answer) {
        if (command instanceof SliceCommand.Delete(var slice)) {
            seen.forget(slice);
        } else {
            codec.readTree(Kinds.RESOURCE_SLICE, answer, Strictness.LENIENT)
                    .value()
                    .ifPresent(seen::remember);
        }
    }
}
