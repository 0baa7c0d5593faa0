package dev.berth.node.endpoint;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Lookup of the pods of this node.
public interface PodLookup {

    /// The pod of that name, if it is on this node.
    Optional<Found> pod(ObjectRef pod);

    /// All pods of this node as API objects.
    List<JsonObject> pods();

    /// A pod of this node.
    ///
    /// @param pod the API object with the newest status that the node has
    /// @param logDirectory directory of its containers' logs, `CONTAINER/ATTEMPT.log`, also of
    ///   containers that the runtime has removed
    record Found(JsonObject pod, Path logDirectory) {}
}
