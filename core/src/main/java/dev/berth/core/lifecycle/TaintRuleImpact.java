package dev.berth.core.lifecycle;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.DeviceTaintRuleSpec;
import dev.berth.model.api.taint.TaintEffect;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Counts the devices and pods affected by a rule, as if its effect were `NoExecute`.
public final class TaintRuleImpact {

    private TaintRuleImpact() {}

    /// Counts for a rule.
    ///
    /// @param slices the newest generation of every pool
    /// @param pods that may be affected
    /// @param evicted number of pods that were evicted because of the rule so far
    public static TaintRuleConditions.Counts of(
            DeviceTaintRule rule,
            Collection<ResourceSlice> slices,
            Collection<ResourceClaim> claims,
            Collection<Pod> pods,
            Function<ObjectRef, Optional<ResourceClaim>> find,
            long evicted) {
        var eviction = new DeviceEviction(_ -> List.of(), List.of(asIfEvicting(rule)));
        var namespaces = new HashSet<String>();
        var count = 0;
        for (var pod : pods) {
            if (eviction.of(pod, find).isPresent()) {
                namespaces.add(pod.metadata().namespace());
                count++;
            }
        }
        return new TaintRuleConditions.Counts(
                published(rule, slices),
                allocated(rule, claims),
                count,
                namespaces.size(),
                evicted);
    }

    private static DeviceTaintRule asIfEvicting(DeviceTaintRule rule) {
        var taint = rule.spec().taint();
        var evicting =
                new DeviceTaint(
                        taint.key(),
                        taint.value(),
                        TaintEffect.Known.NO_EXECUTE,
                        taint.timeAdded());
        return new DeviceTaintRule(
                rule.metadata(),
                new DeviceTaintRuleSpec(rule.spec().deviceSelector(), evicting),
                rule.conditions());
    }

    private static int published(DeviceTaintRule rule, Collection<ResourceSlice> slices) {
        var count = 0;
        for (var slice : slices) {
            for (var device : slice.spec().devices()) {
                var id =
                        new DeviceId(
                                slice.spec().driver(), slice.spec().pool().name(), device.name());
                count += DeviceEviction.selects(rule, id) ? 1 : 0;
            }
        }
        return count;
    }

    private static int allocated(DeviceTaintRule rule, Collection<ResourceClaim> claims) {
        var count = 0;
        for (var claim : claims) {
            if (claim.status().allocation().isPresent()) {
                for (var device : claim.status().allocation().get().devices()) {
                    count += DeviceEviction.selects(rule, device.id()) ? 1 : 0;
                }
            }
        }
        return count;
    }
}
