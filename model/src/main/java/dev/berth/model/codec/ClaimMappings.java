package dev.berth.model.codec;

import static dev.berth.model.codec.MetaMappings.META;
import static dev.berth.model.codec.RequestMappings.SPEC;

import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimTemplate;
import dev.berth.model.api.ResourceClaimTemplateSpec;

/// ResourceClaim and ResourceClaimTemplate.
final class ClaimMappings {

    static final RecordMapping<ResourceClaim> CLAIM =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceClaim");
                var meta = f.always("metadata", META, ResourceClaim::metadata);
                var spec = f.always("spec", SPEC, ResourceClaim::spec);
                var status = f.always("status", AllocationMappings.STATUS, ResourceClaim::status);
                return in -> new ResourceClaim(in.get(meta), in.get(spec), in.get(status));
            });

    static final RecordMapping<ResourceClaimTemplateSpec> TEMPLATE_SPEC =
            RecordMapping.of(f -> {
                var meta = f.always("metadata", META, ResourceClaimTemplateSpec::metadata);
                var spec = f.always("spec", SPEC, ResourceClaimTemplateSpec::spec);
                return in -> new ResourceClaimTemplateSpec(in.get(meta), in.get(spec));
            });

    static final RecordMapping<ResourceClaimTemplate> TEMPLATE =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceClaimTemplate");
                var meta = f.always("metadata", META, ResourceClaimTemplate::metadata);
                var spec = f.always("spec", TEMPLATE_SPEC, ResourceClaimTemplate::spec);
                return in -> new ResourceClaimTemplate(in.get(meta), in.get(spec));
            });

    private ClaimMappings() {}
}
