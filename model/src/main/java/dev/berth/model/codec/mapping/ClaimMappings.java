package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.mapping.RequestMappings.SPEC;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.claim.ResourceClaimTemplateSpec;
import dev.berth.model.codec.record.RecordMapping;

/// ResourceClaim and ResourceClaimTemplate.
public final class ClaimMappings {

    public static final RecordMapping<ResourceClaim> CLAIM =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceClaim");
                var meta = f.always("metadata", META, ResourceClaim::metadata);
                var spec = f.always("spec", SPEC, ResourceClaim::spec);
                var status = f.always("status", AllocationMappings.STATUS, ResourceClaim::status);
                return in -> new ResourceClaim(in.get(meta), in.get(spec), in.get(status));
            });

    public static final RecordMapping<ResourceClaimTemplateSpec> TEMPLATE_SPEC =
            RecordMapping.of(f -> {
                var meta = f.always("metadata", META, ResourceClaimTemplateSpec::metadata);
                var spec = f.always("spec", SPEC, ResourceClaimTemplateSpec::spec);
                return in -> new ResourceClaimTemplateSpec(in.get(meta), in.get(spec));
            });

    public static final RecordMapping<ResourceClaimTemplate> TEMPLATE =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "ResourceClaimTemplate");
                var meta = f.always("metadata", META, ResourceClaimTemplate::metadata);
                var spec = f.always("spec", TEMPLATE_SPEC, ResourceClaimTemplate::spec);
                return in -> new ResourceClaimTemplate(in.get(meta), in.get(spec));
            });

    private ClaimMappings() {}
}
