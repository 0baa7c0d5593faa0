package dev.berth.core.explain;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import java.util.List;

/// Device counts of a request, or of one alternative of it, on a node or in the cluster.
///
/// @param request the name in allocation results: `request` or `request/alternative`
/// @param serves container resources that the request serves; empty for ordinary claims
/// @param needed number of devices requested; for allocation mode All the number of matching
///   devices, at least one
/// @param seen number of devices in usable pools
/// @param ofClass number of those that the class selects
/// @param obstacles what rules out devices of the class; when the class has none, what keeps all
///   other devices out of the class
/// @param left number of devices without obstacles
public record RequestReport(
        ObjectRef claim,
        String request,
        List<RequestMapping> serves,
        String deviceClass,
        boolean all,
        long needed,
        int seen,
        int ofClass,
        List<ObstacleCount> obstacles,
        int left) {

    public RequestReport {
        serves = List.copyOf(serves);
        obstacles = List.copyOf(obstacles);
    }

    public boolean isShort() {
        return left < needed;
    }

    /// The name of the request without the alternative.
    public String wholeRequest() {
        var slash = request.indexOf('/');
        return slash < 0 ? request : request.substring(0, slash);
    }
}
