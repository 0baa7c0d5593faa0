package dev.berth.node.agent;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// State of a claim that pods on this node use or that is not yet unprepared.
///
/// @param pods that use it
/// @param drivers state by driver name
public record NodeClaimState(
        ObjectRef ref, Uid uid, Set<Uid> pods, Map<String, DriverState> drivers, Phase phase) {

    /// Progress of preparation.
    public enum Phase {
        /// Drivers may have been called. Also the state after a restart of the agent, because only
        /// the drivers know.
        PREPARING,
        /// All drivers have prepared it, during this process.
        PREPARED,
        /// No pod uses it any more and no pod may begin to.
        UNPREPARING
    }

    /// The part of a claim that belongs to one driver.
    ///
    /// @param skipped node operations that the driver does not need
    public record DriverState(List<PreparedDevice> devices, List<String> skipped) {
        public DriverState {
            devices = List.copyOf(devices);
            skipped = List.copyOf(skipped);
        }

        boolean skips(String operation) {
            return skipped.contains(operation) || skipped.contains("*");
        }
    }

    /// A device that a driver has prepared.
    ///
    /// @param requests the requests it belongs to; empty means all
    public record PreparedDevice(
            String pool,
            String device,
            Optional<String> share,
            List<String> requests,
            List<String> cdiIds) {
        public PreparedDevice {
            requests = List.copyOf(requests);
            cdiIds = List.copyOf(cdiIds);
        }

        /// True if the device belongs to a request; the empty request is the whole claim.
        boolean isFor(String request) {
            return request.isEmpty() || requests.isEmpty() || requests.contains(request);
        }
    }

    public NodeClaimState {
        pods = Collections.unmodifiableSet(new LinkedHashSet<>(pods));
        drivers = Collections.unmodifiableMap(new TreeMap<>(drivers));
    }

    NodeClaimState withPods(Set<Uid> newPods) {
        return new NodeClaimState(ref, uid, newPods, drivers, phase);
    }

    NodeClaimState withPhase(Phase newPhase) {
        return new NodeClaimState(ref, uid, pods, drivers, newPhase);
    }

    NodeClaimState withDevices(String driver, List<PreparedDevice> devices) {
        var changed = new TreeMap<>(drivers);
        changed.computeIfPresent(driver, (_, part) -> new DriverState(devices, part.skipped));
        return new NodeClaimState(ref, uid, pods, changed, phase);
    }
}
