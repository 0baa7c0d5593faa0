package dev.berth.model.codec;

import static dev.berth.model.codec.MetaShapes.META;
import static dev.berth.model.codec.RequestShapes.SPEC;

import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimTemplate;
import dev.berth.model.api.ResourceClaimTemplateSpec;

/// ResourceClaim and ResourceClaimTemplate.
final class ClaimShapes {

    static final Shape<ResourceClaim> CLAIM =
            Shape.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceClaim");
                var meta = f.always("metadata", META, ResourceClaim::metadata);
                var spec = f.always("spec", SPEC, ResourceClaim::spec);
                var status = f.always("status", AllocationShapes.STATUS, ResourceClaim::status);
                return in -> new ResourceClaim(in.get(meta), in.get(spec), in.get(status));
            });

    static final Shape<ResourceClaimTemplateSpec> TEMPLATE_SPEC =
            Shape.of(f -> {
                var meta = f.always("metadata", META, ResourceClaimTemplateSpec::metadata);
                var spec = f.always("spec", SPEC, ResourceClaimTemplateSpec::spec);
                return in -> new ResourceClaimTemplateSpec(in.get(meta), in.get(spec));
            });

    static final Shape<ResourceClaimTemplate> TEMPLATE =
            Shape.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceClaimTemplate");
                var meta = f.always("metadata", META, ResourceClaimTemplate::metadata);
                var spec = f.always("spec", TEMPLATE_SPEC, ResourceClaimTemplate::spec);
                return in -> new ResourceClaimTemplate(in.get(meta), in.get(spec));
            });

    private ClaimShapes() {}
}
