package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.mapping.MetaMappings.TEXTS;
import static dev.berth.model.codec.mapping.PodMappings.AMOUNTS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.RAW_OBJECT;

import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.api.pod.PodResourceClaimStatus;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Mappings of the fields of PodGroup and ResourceQuota that claims need.
public final class NamespaceMappings {

    private record GroupSpec(List<PodResourceClaim> claims, Optional<JsonObject> policy) {}

    private static final RecordMapping<GroupSpec> GROUP_SPEC =
            RecordMapping.partial(f -> {
                var claims =
                        f.optional("resourceClaims", list(PodMappings.CLAIM), GroupSpec::claims);
                var policy = f.pointer("schedulingPolicy", RAW_OBJECT, GroupSpec::policy);
                return in -> new GroupSpec(in.get(claims), in.get(policy));
            });

    private static final RecordMapping<List<PodResourceClaimStatus>> GROUP_STATUS =
            RecordMapping.partial(f -> {
                var claims =
                        f.optional(
                                "resourceClaimStatuses",
                                list(PodStatusMappings.CLAIM),
                                (List<PodResourceClaimStatus> all) -> all);
                return in -> in.get(claims);
            });

    public static final RecordMapping<PodGroup> POD_GROUP =
            RecordMapping.partial(f -> {
                f.fixed("apiVersion", "scheduling.k8s.io/v1beta1");
                f.fixed("kind", "PodGroup");
                var meta = f.always("metadata", META, PodGroup::metadata);
                var spec =
                        f.always(
                                "spec",
                                GROUP_SPEC,
                                group ->
                                        new GroupSpec(
                                                group.resourceClaims(), group.schedulingPolicy()));
                var status = f.always("status", GROUP_STATUS, PodGroup::resourceClaimStatuses);
                return in ->
                        new PodGroup(
                                in.get(meta),
                                in.get(spec).claims,
                                in.get(spec).policy,
                                in.get(status));
            });

    private record QuotaSpec(
            Map<String, Quantity> hard, List<String> scopes, Optional<JsonObject> selector) {}

    private static final RecordMapping<QuotaSpec> QUOTA_SPEC =
            RecordMapping.partial(f -> {
                var hard = f.optional("hard", AMOUNTS, QuotaSpec::hard);
                var scopes = f.optional("scopes", TEXTS, QuotaSpec::scopes);
                var selector = f.pointer("scopeSelector", RAW_OBJECT, QuotaSpec::selector);
                return in -> new QuotaSpec(in.get(hard), in.get(scopes), in.get(selector));
            });

    private record QuotaStatus(Map<String, Quantity> hard, Map<String, Quantity> used) {}

    private static final RecordMapping<QuotaStatus> QUOTA_STATUS =
            RecordMapping.partial(f -> {
                var hard = f.optional("hard", AMOUNTS, QuotaStatus::hard);
                var used = f.optional("used", AMOUNTS, QuotaStatus::used);
                return in -> new QuotaStatus(in.get(hard), in.get(used));
            });

    public static final RecordMapping<ResourceQuota> QUOTA =
            RecordMapping.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "ResourceQuota");
                var meta = f.always("metadata", META, ResourceQuota::metadata);
                var spec =
                        f.always(
                                "spec",
                                QUOTA_SPEC,
                                quota ->
                                        new QuotaSpec(
                                                quota.hard(),
                                                quota.scopes(),
                                                quota.scopeSelector()));
                var status =
                        f.always(
                                "status",
                                QUOTA_STATUS,
                                quota -> new QuotaStatus(quota.enforced(), quota.used()));
                return in ->
                        new ResourceQuota(
                                in.get(meta),
                                in.get(spec).hard,
                                in.get(status).hard,
                                in.get(status).used,
                                in.get(spec).scopes,
                                in.get(spec).selector);
            });

    private NamespaceMappings() {}
}
