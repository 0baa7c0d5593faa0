package dev.berth.core.plan;

import dev.berth.core.place.ClaimResolver;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PreFilterResult;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;

/// The device requests of pending pods.
public final class RequestedDevices {

    private RequestedDevices() {}

    /// The requests of the pods of an input, each once. Pods whose claims cannot be resolved have
    /// none.
    public static List<DeviceDemand> of(PlanInput input, ClusterSnapshot snapshot) {
        var generated = ClaimResolver.GeneratedClaims.Instantiated.from(input.templates());
        var resolver = ClaimResolver.instantiating(snapshot.usage()::claim, generated);
        var demands = new LinkedHashSet<DeviceDemand>();
        var groups = new HashSet<String>();
        for (var pending : input.pendingPods()) {
            if (groups.add(pending.group())
                    && resolver.resolve(pending.pod()) instanceof PreFilterResult.Ready(var one)) {
                demands.addAll(of(one, snapshot));
            }
        }
        return List.copyOf(demands);
    }

    /// The device requests of one pod, including those for its extended resources.
    static List<DeviceDemand> of(PlacementRequest request, ClusterSnapshot snapshot) {
        var claims = new ArrayList<>(request.toAllocate());
        snapshot.inventory()
                .extended()
                .claim(request.pod())
                .ifPresent(one -> claims.add(one.claim()));
        var demands = new ArrayList<DeviceDemand>();
        for (var claim : claims) {
            for (var deviceRequest : claim.spec().requests()) {
                switch (deviceRequest) {
                    case DeviceRequest.Exactly exactly -> demands.add(exactly.demand());
                    case DeviceRequest.FirstAvailable(_, var all) ->
                            all.forEach(one -> demands.add(one.demand()));
                    case DeviceRequest.Unrecognised _ -> {}
                }
            }
        }
        return demands;
    }
}
