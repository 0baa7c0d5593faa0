package dev.berth.core.lifecycle;

import dev.berth.core.taint.Taints;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.TaintEffect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/// Which pods to evict because of taints on their devices, and when.
///
/// A toleration protects from eviction only when its effect is spelled out as `NoExecute`, although
/// an empty one is enough for allocation. A rule without a selector evicts no pods, although it
/// excludes every device from allocation. Both are as in Kubernetes. Unlike Kubernetes, this also
/// evicts pods whose devices back extended resources.
public final class DeviceEviction {

    /// A taint of a device, and the rule that added it.
    public record Cause(DeviceId device, DeviceTaint taint, Optional<Uid> rule) {}

    /// A pod has to be evicted.
    ///
    /// @param at when
    /// @param causes all taints that it does not tolerate for ever
    public record Decision(Instant at, Set<Cause> causes) {

        public Decision {
            causes = Set.copyOf(causes);
        }

        public boolean isBecauseOf(Uid rule) {
            return causes.stream().anyMatch(cause -> cause.rule().equals(Optional.of(rule)));
        }
    }

    private final Function<DeviceId, List<DeviceTaint>> published;
    private final List<DeviceTaintRule> rules;

    /// @param published the taints in the newest slices of a pool
    /// @param rules all DeviceTaintRules
    public DeviceEviction(
            Function<DeviceId, List<DeviceTaint>> published, List<DeviceTaintRule> rules) {
        this.published = published;
        this.rules = rules.stream().filter(rule -> evicts(rule.spec().taint().effect())).toList();
    }

    private static boolean evicts(TaintEffect effect) {
        return effect == TaintEffect.Known.NO_EXECUTE;
    }

    /// Whether and when to evict a pod.
    ///
    /// @param claims finds the claims that the pod refers to
    public Optional<Decision> of(Pod pod, Function<ObjectRef, Optional<ResourceClaim>> claims) {
        if (pod.spec().nodeName().isEmpty() || pod.metadata().isDeleting()) {
            return Optional.empty();
        }
        Instant earliest = Instant.MAX;
        var causes = new LinkedHashSet<Cause>();
        for (var ref : PodClaimReferences.all(pod)) {
            var claim = claims.apply(ref).filter(one -> isUsedBy(one, pod));
            var decision = claim.flatMap(this::of);
            if (decision.isPresent()) {
                earliest = min(earliest, decision.get().at());
                causes.addAll(decision.get().causes());
            }
        }
        return causes.isEmpty() ? Optional.empty() : Optional.of(new Decision(earliest, causes));
    }

    private static Instant min(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /// A claim that was created for another pod does not belong to this pod, even if it has the
    /// expected name.
    private static boolean isUsedBy(ResourceClaim claim, Pod pod) {
        var owner = claim.metadata().controller().filter(one -> one.kind().equals("Pod"));
        if (owner.map(OwnerReference::uid)
                .filter(u -> !u.equals(pod.metadata().uid()))
                .isPresent()) {
            return false;
        }
        return claim.isReservedFor(pod);
    }

    /// Whether and when to evict the consumers of a claim.
    public Optional<Decision> of(ResourceClaim claim) {
        if (claim.status().allocation().isEmpty()) {
            return Optional.empty();
        }
        var earliest = Instant.MAX;
        var causes = new LinkedHashSet<Cause>();
        for (var device : claim.status().allocation().get().devices()) {
            for (var cause : causes(device.id())) {
                var at = deadline(cause.taint(), device);
                if (at.isPresent()) {
                    earliest = min(earliest, at.get());
                    causes.add(cause);
                }
            }
        }
        return causes.isEmpty() ? Optional.empty() : Optional.of(new Decision(earliest, causes));
    }

    private List<Cause> causes(DeviceId id) {
        var causes = new ArrayList<Cause>();
        for (var taint : published.apply(id)) {
            if (evicts(taint.effect())) {
                causes.add(new Cause(id, taint, Optional.empty()));
            }
        }
        for (var rule : rules) {
            if (selects(rule, id)) {
                var uid = Optional.of(rule.metadata().uid());
                causes.add(new Cause(id, rule.spec().taint(), uid));
            }
        }
        return causes;
    }

    static boolean selects(DeviceTaintRule rule, DeviceId id) {
        return rule.spec().deviceSelector().filter(selector -> selector.matches(id)).isPresent();
    }

    /// Until when the taint of a device is tolerated; empty for ever.
    private static Optional<Instant> deadline(DeviceTaint taint, AllocatedDevice device) {
        var added = taint.timeAdded().orElse(Instant.EPOCH);
        var seconds = OptionalLong.empty();
        for (var toleration : device.tolerations()) {
            var isMeant =
                    toleration.effect().filter(DeviceEviction::evicts).isPresent()
                            && Taints.tolerates(toleration, taint);
            if (isMeant && toleration.tolerationSeconds().isEmpty()) {
                return Optional.empty();
            }
            if (isMeant) {
                var granted = toleration.tolerationSeconds().getAsLong();
                seconds = TolerationDuration.shorter(seconds, granted);
            }
        }
        return Optional.of(TolerationDuration.after(added, seconds.orElse(0)));
    }
}
