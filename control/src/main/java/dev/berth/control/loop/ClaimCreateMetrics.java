package dev.berth.control.loop;

import dev.berth.client.RequestResult;
import dev.berth.metrics.CounterMetric;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.OwnerReference;

/// Counts the claims that the scheduler and the ResourceClaim controller create.
public final class ClaimCreateMetrics {

    private final CounterMetric creates;

    public ClaimCreateMetrics(MetricsRegistry registry) {
        this.creates =
                registry.counter(
                        "dynamic_resource_allocation_resourceclaim_creates_total",
                        "Attempts to create ResourceClaims, by status: success or failure.",
                        "status",
                        "admin_access",
                        "owner_api_group",
                        "owner_api_kind");
    }

    /// Counts one request to create a claim.
    public RequestResult count(ResourceClaim claim, RequestResult result) {
        var owner = claim.metadata().controller();
        creates.with(
                        result.isDone() ? "success" : "failure",
                        Boolean.toString(hasAdminAccess(claim)),
                        owner.map(ClaimCreateMetrics::group).orElse(""),
                        owner.map(OwnerReference::kind).orElse(""))
                .increment();
        return result;
    }

    private static String group(OwnerReference owner) {
        var slash = owner.apiVersion().indexOf('/');
        return slash < 0 ? "" : owner.apiVersion().substring(0, slash);
    }

    /// Whether a request of the claim has admin access.
    public static boolean hasAdminAccess(ResourceClaim claim) {
        return claim.spec().requests().stream()
                .anyMatch(request ->
                        request instanceof DeviceRequest.Exactly exactly && exactly.isAdmin());
    }
}
