package dev.berth.core.explain;

import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.ObjectRef;
import java.util.List;

/// What became of a request, or of one alternative of it, on a node or in the cluster.
///
/// @param request as results call it: `request` or `request/alternative`
/// @param serves which resources of which containers it stands for, if any
/// @param needed how many devices it wants; for "all", how many there are that match, at least one
/// @param seen how many devices there are in usable pools
/// @param ofClass how many of them the class selects
/// @param tolls what takes devices of the class away; when there are none, what keeps all others
///   from being of the class
/// @param left devices that could be taken at once
public record RequestReport(
        ObjectRef claim,
        String request,
        List<RequestMapping> serves,
        String deviceClass,
        boolean all,
        long needed,
        int seen,
        int ofClass,
        List<ObstacleCount> tolls,
        int left) {

    public RequestReport {
        serves = List.copyOf(serves);
        tolls = List.copyOf(tolls);
    }

    public boolean isShort() {
        return left < needed;
    }

    /// The request without the alternative.
    public String wholeRequest() {
        var slash = request.indexOf('/');
        return slash < 0 ? request : request.substring(0, slash);
    }
}
