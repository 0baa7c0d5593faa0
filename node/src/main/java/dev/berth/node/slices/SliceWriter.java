package dev.berth.node.slices;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.publish.SliceCommand;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Carries out what has to be done so that a cluster has the slices that somebody wants.
public final class SliceWriter {

    private static final ResourcePath SLICES = ResourcePath.of(Kinds.RESOURCE_SLICE);

    private final Cluster cluster;
    private final Codec codec = new Codec();

    /// Somebody who keeps in mind what the cluster has.
    public interface Listener {

        /// The cluster has a slice now.
        ///
        /// @param sent as it was wanted
        /// @param stored as it is, which may lack something
        void stored(ResourceSlice sent, ResourceSlice stored);

        /// The cluster has a slice no more.
        void deleted(ResourceSlice slice);

        /// The cluster has answered, well or not.
        ///
        /// @param begin of the call by the nanosecond clock
        default void responded(RequestResult outcome, long begin) {}
    }

    public SliceWriter(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Carries out commands until one fails; what came of that one, if so.
    public Optional<RequestResult> write(List<SliceCommand> commands, Listener listener) {
        for (var command : commands) {
            var begin = System.nanoTime();
            var outcome = cluster.send(request(command));
            listener.responded(outcome, begin);
            var isGone =
                    command instanceof SliceCommand.Delete
                            && outcome instanceof RequestResult.Missing;
            if (!outcome.isDone() && !isGone) {
                return Optional.of(outcome);
            }
            tell(command, outcome, listener);
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

    /// What the server answers is known before watches bring it.
    private void tell(SliceCommand command, RequestResult outcome, Listener listener) {
        switch (command) {
            case SliceCommand.Delete(var slice) -> listener.deleted(slice);
            case SliceCommand.Create(var slice) -> stored(slice, outcome, listener);
            case SliceCommand.Update(var slice) -> stored(slice, outcome, listener);
        }
    }

    private void stored(ResourceSlice sent, RequestResult outcome, Listener listener) {
        if (outcome instanceof RequestResult.Done(var answer)) {
            codec.readTree(Kinds.RESOURCE_SLICE, answer, UnknownFieldPolicy.LENIENT)
                    .value()
                    .ifPresent(slice -> listener.stored(sent, slice));
        }
    }
}
