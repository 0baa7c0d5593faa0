package dev.berth.core.taint;

import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.DeviceTaintSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Applies the taints of DeviceTaintRules to published devices.
public final class TaintRules {

    private TaintRules() {}

    /// The slice with the taints of all rules; the same instance if no rule selects any of its
    /// devices.
    ///
    /// A rule without a selector selects all devices. This is the behaviour of the Kubernetes
    /// scheduler, although its documentation states that such a rule selects none.
    public static ResourceSlice apply(ResourceSlice slice, Collection<DeviceTaintRule> rules) {
        var changed = false;
        var devices = new ArrayList<Device>();
        for (var device : slice.spec().devices()) {
            var id = new DeviceId(slice.spec().driver(), slice.spec().pool().name(), device.name());
            var taints = new ArrayList<>(device.taints());
            taints.addAll(taintsOf(id, rules));
            var isTainted = taints.size() > device.taints().size();
            devices.add(isTainted ? device.withTaints(taints) : device);
            changed |= isTainted;
        }
        return changed ? with(slice, devices) : slice;
    }

    /// The slice without the taint that [#apply] added for a rule.
    public static ResourceSlice remove(ResourceSlice slice, DeviceTaintRule rule) {
        var devices = new ArrayList<Device>();
        for (var device : slice.spec().devices()) {
            var id = new DeviceId(slice.spec().driver(), slice.spec().pool().name(), device.name());
            var taints = new ArrayList<>(device.taints());
            taintsOf(id, List.of(rule)).forEach(taints::remove);
            devices.add(device.withTaints(taints));
        }
        return with(slice, devices);
    }

    /// The taints that rules add to one device, in the order of the rules.
    public static List<DeviceTaint> taintsOf(DeviceId id, Collection<DeviceTaintRule> rules) {
        var taints = new ArrayList<DeviceTaint>();
        for (var rule : rules) {
            if (rule.spec().deviceSelector().map(s -> s.matches(id)).orElse(true)) {
                taints.add(rule.spec().taint());
            }
        }
        return taints;
    }

    /// Whether a rule may select devices of a pool.
    public static boolean mayApplyTo(DeviceTaintRule rule, PoolId pool) {
        var selector = rule.spec().deviceSelector();
        return selector.flatMap(DeviceTaintSelector::driver).map(pool.driver()::equals).orElse(true)
                && selector.flatMap(DeviceTaintSelector::pool)
                        .map(pool.pool()::equals)
                        .orElse(true);
    }

    private static ResourceSlice with(ResourceSlice slice, List<Device> devices) {
        var spec = slice.spec();
        return new ResourceSlice(
                slice.metadata(),
                new ResourceSliceSpec(
                        spec.driver(),
                        spec.pool(),
                        spec.scope(),
                        devices,
                        spec.sharedCounters(),
                        spec.partitionTypeAttribute(),
                        spec.skipNodeOperations()));
    }
}
