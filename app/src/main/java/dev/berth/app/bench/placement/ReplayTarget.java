package dev.berth.app.bench.placement;

import dev.berth.model.api.slice.DeviceId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The cluster in which a trace is replayed.
interface ReplayTarget extends AutoCloseable {

    /// A placed pod.
    ///
    /// @param devices the devices of all its claims
    record Placed(String node, List<DeviceId> devices) {
        public Placed {
            devices = List.copyOf(devices);
        }
    }

    /// Creates the pod of an arrival and removes it again if it cannot be placed now.
    Optional<Placed> arrive(Arrival arrival) throws IOException, InterruptedException;

    /// Removes a placed pod.
    void leave(Arrival arrival) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
