package dev.berth.node.agent;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Uid;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A claim that pods on this node use, or that is not yet unprepared.
///
/// @param pods that use it
/// @param drivers of its devices
public record NodeClaimState(
        ObjectRef ref, Uid uid, Set<Uid> pods, Map<String, DriverPart> drivers, Phase phase) {

    /// How far it has come.
    public enum Phase {
        /// Drivers may have been called; also after a restart of the agent, since only they know.
        ATTACHED,
        /// All drivers have prepared it, for this process.
        PREPARED,
        /// No pod uses it any more; nobody may begin to.
        RELEASING
    }

    /// What a driver has of the claim.
    ///
    /// @param skipped calls that the driver does not need
    public record DriverPart(List<ReadyDevice> devices, List<String> skipped) {
        public DriverPart {
            devices = List.copyOf(devices);
            skipped = List.copyOf(skipped);
        }

        boolean skips(String operation) {
            return skipped.contains(operation) || skipped.contains("*");
        }
    }

    /// A device that a driver has prepared.
    ///
    /// @param requests for which it is; none means all
    public record ReadyDevice(
            String pool,
            String device,
            Optional<String> share,
            List<String> requests,
            List<String> cdiIds) {
        public ReadyDevice {
            requests = List.copyOf(requests);
            cdiIds = List.copyOf(cdiIds);
        }

        /// Whether somebody who asked for a request has it; an empty one is the whole claim.
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

    NodeClaimState withDevices(String driver, List<ReadyDevice> devices) {
        var changed = new TreeMap<>(drivers);
        changed.computeIfPresent(driver, (_, part) -> new DriverPart(devices, part.skipped));
        return new NodeClaimState(ref, uid, pods, changed, phase);
    }
}
