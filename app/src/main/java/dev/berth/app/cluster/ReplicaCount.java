package dev.berth.app.cluster;

/// The number of pods of each workload of the files: as its manifest says, or another one.
public sealed interface ReplicaCount {

    /// The number in the manifest.
    record AsWritten() implements ReplicaCount {}

    /// This number; pods that exist count.
    record ScaleTo(int pods) implements ReplicaCount {}

    /// This number in addition to the pods that exist.
    record More(int pods) implements ReplicaCount {}

    /// The number of pods that a workload controller has in the end.
    ///
    /// @param existing pods that exist
    /// @param written number in the manifest
    default int total(int existing, int written) {
        return switch (this) {
            case AsWritten _ -> written;
            case ScaleTo(var pods) -> pods;
            case More(var pods) -> existing + pods;
        };
    }
}
