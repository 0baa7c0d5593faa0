package dev.berth.node.endpoint;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Knows the pods of this node.
public interface PodLookup {

    /// The pod of that name, if it is on this node.
    Optional<Found> pod(ObjectRef pod);

    /// All pods of this node, as the API has them.
    List<JsonObject> pods();

    /// A pod of this node.
    ///
    /// @param pod as the API has it, with the newest status that the node knows
    /// @param logDirectory where its containers' logs are, as `CONTAINER/ATTEMPT.log`, also of
    ///   those that the runtime no longer has
    record Found(JsonObject pod, Path logDirectory) {}
}
