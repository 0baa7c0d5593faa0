package dev.berth.model.codec;

import static dev.berth.model.codec.Containers.list;
import static dev.berth.model.codec.MetaShapes.META;
import static dev.berth.model.codec.PodShapes.AMOUNTS;
import static dev.berth.model.codec.Scalars.RAW_OBJECT;

import dev.berth.model.api.PodGroup;
import dev.berth.model.api.PodResourceClaim;
import dev.berth.model.api.PodResourceClaimStatus;
import dev.berth.model.api.ResourceQuota;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The parts of PodGroup and ResourceQuota that claims need.
final class NamespaceShapes {

    private record GroupSpec(List<PodResourceClaim> claims, Optional<JsonObject> policy) {}

    private static final Shape<GroupSpec> GROUP_SPEC =
            Shape.partial(f -> {
                var claims = f.optional("resourceClaims", list(PodShapes.CLAIM), GroupSpec::claims);
                var policy = f.pointer("schedulingPolicy", RAW_OBJECT, GroupSpec::policy);
                return in -> new GroupSpec(in.get(claims), in.get(policy));
            });

    private static final Shape<List<PodResourceClaimStatus>> GROUP_STATUS =
            Shape.partial(f -> {
                var claims =
                        f.optional(
                                "resourceClaimStatuses",
                                list(PodStatusShapes.CLAIM),
                                (List<PodResourceClaimStatus> all) -> all);
                return in -> in.get(claims);
            });

    static final Shape<PodGroup> POD_GROUP =
            Shape.partial(f -> {
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

    private static final Shape<Map<String, Quantity>> QUOTA_SPEC =
            Shape.partial(f -> {
                var hard = f.optional("hard", AMOUNTS, (Map<String, Quantity> all) -> all);
                return in -> in.get(hard);
            });

    private record QuotaStatus(Map<String, Quantity> hard, Map<String, Quantity> used) {}

    private static final Shape<QuotaStatus> QUOTA_STATUS =
            Shape.partial(f -> {
                var hard = f.optional("hard", AMOUNTS, QuotaStatus::hard);
                var used = f.optional("used", AMOUNTS, QuotaStatus::used);
                return in -> new QuotaStatus(in.get(hard), in.get(used));
            });

    static final Shape<ResourceQuota> QUOTA =
            Shape.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "ResourceQuota");
                var meta = f.always("metadata", META, ResourceQuota::metadata);
                var spec = f.always("spec", QUOTA_SPEC, ResourceQuota::hard);
                var status =
                        f.always(
                                "status",
                                QUOTA_STATUS,
                                quota -> new QuotaStatus(quota.enforced(), quota.used()));
                return in ->
                        new ResourceQuota(
                                in.get(meta),
                                in.get(spec),
                                in.get(status).hard,
                                in.get(status).used);
            });

    private NamespaceShapes() {}
}
