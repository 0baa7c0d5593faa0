package dev.berth.core.place.pack;

import dev.berth.core.snapshot.PodResourceRequests;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The CPU, memory and devices that a pod requests.
///
/// @param cpu in thousandths of a core
/// @param memory in bytes
/// @param devices the requests of the pod's claims
public record PodDemand(long cpu, long memory, List<Devices> devices) {

    private static final long THOUSAND = 1000;

    /// Devices of one request.
    ///
    /// @param milliCount thousandths of the number of devices; less than a whole number for a claim
    ///   that several pods share
    record Devices(RequestedShare share, long milliCount) {}

    public PodDemand {
        devices = List.copyOf(devices);
    }

    /// The demand of a pod with these claims.
    public static PodDemand of(Pod pod, Collection<ResourceClaim> claims) {
        return of(PodResourceRequests.of(pod), claims);
    }

    /// The demand of a pod with known resource requests.
    public static PodDemand of(Map<String, Quantity> requests, Collection<ResourceClaim> claims) {
        var devices = new ArrayList<Devices>();
        for (var claim : claims) {
            var users = Math.max(1, claim.status().reservedFor().size());
            for (var request : claim.spec().requests()) {
                add(devices, request, users);
            }
        }
        return new PodDemand(
                requests.getOrDefault("cpu", Quantity.ZERO).milliRoundedUp(),
                requests.getOrDefault("memory", Quantity.ZERO).roundedUp(),
                devices);
    }

    /// Adds a request. Of a prioritized list the first alternative counts: it is what the pod
    /// prefers.
    private static void add(List<Devices> devices, DeviceRequest request, int users) {
        switch (request) {
            case DeviceRequest.Exactly exactly -> {
                if (!exactly.isAdmin()) {
                    devices.add(devices(exactly.demand(), users));
                }
            }
            case DeviceRequest.FirstAvailable list ->
                    list.alternatives().stream()
                            .findFirst()
                            .ifPresent(first -> devices.add(devices(first.demand(), users)));
            case DeviceRequest.Unrecognised _ -> {}
        }
    }

    private static Devices devices(DeviceDemand demand, int users) {
        var count = demand.count() instanceof AllocationCount.ExactCount(var number) ? number : 1;
        return new Devices(RequestedShare.of(demand), count * THOUSAND / users);
    }
}
