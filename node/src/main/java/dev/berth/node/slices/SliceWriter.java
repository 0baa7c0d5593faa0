package dev.berth.node.slices;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.publish.SliceCommand;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Executes create, update and delete commands of ResourceSlices.
public final class SliceWriter {

    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);

    private final Cluster cluster;
    private final Codec codec = new Codec();

    /// Receives the results, for example to update a cache.
    public interface Listener {

        /// A slice was stored.
        ///
        /// @param sent as desired
        /// @param stored as returned, which may lack fields
        void stored(ResourceSlice sent, ResourceSlice stored);

        /// A slice was deleted.
        void deleted(ResourceSlice slice);

        /// A request completed, successfully or not.
        ///
        /// @param startNanos start of the request by [System#nanoTime]
        default void responded(RequestResult outcome, long startNanos) {}
    }

    public SliceWriter(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Executes commands until one fails. Returns the result of the failed one.
    public Optional<RequestResult> write(List<SliceCommand> commands, Listener listener) {
        for (var command : commands) {
            var startNanos = System.nanoTime();
            var outcome = cluster.send(request(command));
            listener.responded(outcome, startNanos);
            var isGone =
                    command instanceof SliceCommand.Delete
                            && outcome instanceof RequestResult.Missing;
            if (!outcome.isDone() && !isGone) {
                return Optional.of(outcome);
            }
            report(command, outcome, listener);
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

    /// Reports results before the watch delivers them.
    private void report(SliceCommand command, RequestResult outcome, Listener listener) {
        switch (command) {
            case SliceCommand.Delete(var slice) -> listener.deleted(slice);
            case SliceCommand.Create(var slice) -> stored(slice, outcome, listener);
            case SliceCommand.Update(var slice) -> stored(slice, outcome, listener);
        }
    }

    private void stored(ResourceSlice sent, RequestResult outcome, Listener listener) {
        if (outcome instanceof RequestResult.Done(var response)) {
            codec.readTree(Kinds.RESOURCE_SLICE, response, UnknownFieldPolicy.LENIENT)
                    .value()
                    .ifPresent(slice -> listener.stored(sent, slice));
        }
    }
}
