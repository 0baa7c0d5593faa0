package dev.berth.control.claims;

import dev.berth.control.loop.ClaimCreateMetrics;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.Collection;
import java.util.function.Supplier;

/// The gauge of ResourceClaims in the cluster, counted when metrics are read.
public final class ResourceClaimMetrics {

    private final CallbackMetric claims;

    public ResourceClaimMetrics(MetricsRegistry registry) {
        this.claims =
                registry.gauge(
                        "dynamic_resource_allocation_resource_claims",
                        "ResourceClaims, by allocation, admin access and source:"
                                + " resource_claim_template, extended_resource or empty.",
                        "allocated",
                        "admin_access",
                        "source");
    }

    /// Counts claims of a cache until the result is closed.
    public CallbackMetric.Registration observe(Supplier<Collection<ResourceClaim>> cache) {
        return claims.addSource(sink -> {
            for (var claim : cache.get()) {
                sink.add(
                        1,
                        Boolean.toString(claim.status().allocation().isPresent()),
                        Boolean.toString(ClaimCreateMetrics.hasAdminAccess(claim)),
                        source(claim));
            }
        });
    }

    private static String source(ResourceClaim claim) {
        if (claim.metadata().annotations().containsKey(ExtendedResourceClaims.ANNOTATION)) {
            return "extended_resource";
        }
        return claim.metadata().controller().isPresent() ? "resource_claim_template" : "";
    }
}
