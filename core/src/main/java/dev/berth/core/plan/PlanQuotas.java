package dev.berth.core.plan;

import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The ResourceQuotas of a plan and their usage while its pods are created. Usage is counted from
/// the objects of the input. The messages are those of the API server.
///
/// Pods that exist were admitted before; only their missing claims are charged. Quotas with scopes
/// are not evaluated. Owned by one [PlanRun].
final class PlanQuotas {

    private final List<Usage> quotas = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /// Claims that are charged.
    private final Set<ObjectRef> claims = new HashSet<>();

    private final QuotaCharges charges;

    /// A quota with its usage so far.
    private record Usage(ResourceQuota quota, Map<String, Quantity> used) {

        private boolean isFor(String namespace) {
            return quota.metadata().namespace().equals(namespace);
        }

        private void add(Map<String, Quantity> more) {
            more.forEach((name, amount) -> used.merge(name, amount, Quantity::plus));
        }

        /// Why the quota refuses an object, as the API server says it.
        private Optional<String> refusal(Map<String, Quantity> more) {
            var requested = new ArrayList<String>();
            var before = new ArrayList<String>();
            var limited = new ArrayList<String>();
            new TreeMap<>(quota.hard())
                    .forEach((name, hard) -> {
                        var amount = more.getOrDefault(name, Quantity.ZERO);
                        var old = used.getOrDefault(name, Quantity.ZERO);
                        if (amount.signum() > 0 && old.plus(amount).compareTo(hard) > 0) {
                            requested.add(name + "=" + amount);
                            before.add(name + "=" + old);
                            limited.add(name + "=" + hard);
                        }
                    });
            return requested.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "exceeded quota: %s, requested: %s, used: %s, limited: %s"
                                    .formatted(
                                            quota.metadata().name(),
                                            String.join(",", requested),
                                            String.join(",", before),
                                            String.join(",", limited)));
        }
    }

    private PlanQuotas(QuotaCharges charges) {
        this.charges = charges;
    }

    static PlanQuotas of(PlanInput input) {
        var all = new PlanQuotas(new QuotaCharges(input.classes()));
        for (var quota : input.quotas()) {
            if (quota.isScoped()) {
                all.notes.add(
                        "ResourceQuota %s is not considered, because it has scopes"
                                .formatted(quota.metadata().ref()));
            } else {
                all.quotas.add(new Usage(quota, new TreeMap<>()));
            }
        }
        if (!all.quotas.isEmpty()) {
            all.count(input);
        }
        return all;
    }

    private void count(PlanInput input) {
        for (var pod : input.pods()) {
            add(pod.metadata().namespace(), charges.of(pod));
        }
        for (var pending : input.pendingPods()) {
            if (exists(pending.pod())) {
                add(pending.pod().metadata().namespace(), charges.of(pending.pod()));
            }
        }
        for (var claim : input.claims()) {
            claims.add(claim.ref());
            add(claim.metadata().namespace(), charges.of(claim));
        }
    }

    private static boolean exists(Pod pod) {
        return !pod.metadata().uid().value().isEmpty();
    }

    private void add(String namespace, Map<String, Quantity> more) {
        quotas.stream().filter(one -> one.isFor(namespace)).forEach(one -> one.add(more));
    }

    /// Charges the creation of a pod. Nothing is charged when a quota refuses it.
    ///
    /// @return why the pod is refused; empty when it is created, or exists
    Optional<String> charge(Pod pod) {
        var namespace = pod.metadata().namespace();
        if (exists(pod) || quotas.stream().noneMatch(one -> one.isFor(namespace))) {
            return Optional.empty();
        }
        for (var one : quotas) {
            var missing =
                    one.isFor(namespace)
                            ? QuotaCharges.unspecified(one.quota.hard().keySet(), pod)
                            : "";
            if (!missing.isEmpty()) {
                return Optional.of(
                        forbidden(
                                "pods",
                                pod.ref(),
                                "failed quota: %s: must specify %s"
                                        .formatted(one.quota.metadata().name(), missing)));
            }
        }
        return charge(namespace, charges.of(pod)).map(why -> forbidden("pods", pod.ref(), why));
    }

    private static String forbidden(String resource, ObjectRef object, String why) {
        return "%s \"%s\" is forbidden: %s".formatted(resource, object.name(), why);
    }

    /// Charges the creation of the claims of a pod that do not exist yet.
    ///
    /// @return why a claim is refused
    Optional<String> chargeClaims(PlacementRequest request, ClusterUsage usage) {
        if (quotas.isEmpty()) {
            return Optional.empty();
        }
        for (var claim : request.toAllocate()) {
            if (usage.claim(claim.ref()).isEmpty() && claims.add(claim.ref())) {
                var refusal = charge(claim);
                if (refusal.isPresent()) {
                    return refusal;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> charge(ResourceClaim claim) {
        return charge(claim.metadata().namespace(), charges.of(claim))
                .map(why -> forbidden("resourceclaims.resource.k8s.io", claim.ref(), why));
    }

    private Optional<String> charge(String namespace, Map<String, Quantity> more) {
        for (var one : quotas) {
            var refusal = one.isFor(namespace) ? one.refusal(more) : Optional.<String>empty();
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        add(namespace, more);
        return Optional.empty();
    }

    /// Quotas that are not evaluated.
    Collection<String> notes() {
        return List.copyOf(notes);
    }
}
