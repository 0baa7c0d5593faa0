package dev.berth.core.taint;

import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.api.DeviceTaintSelector;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.ResourceSliceSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Lays the taints of rules over the devices that drivers publish.
public final class TaintRules {

    private TaintRules() {}

    /// The slice with all taints, and the same slice where no rule means any of its devices.
    ///
    /// A rule without a selector means all devices: this is what Kubernetes' scheduler does,
    /// although its documentation says that such a rule means none.
    public static ResourceSlice over(ResourceSlice slice, Collection<DeviceTaintRule> rules) {
        var changed = false;
        var devices = new ArrayList<Device>();
        for (var device : slice.spec().devices()) {
            var id = new DeviceId(slice.spec().driver(), slice.spec().pool().name(), device.name());
            var taints = new ArrayList<>(device.taints());
            taints.addAll(on(id, rules));
            var isTainted = taints.size() > device.taints().size();
            devices.add(isTainted ? device.withTaints(taints) : device);
            changed |= isTainted;
        }
        return changed ? with(slice, devices) : slice;
    }

    /// The taints that rules put on one device, in their order.
    public static List<DeviceTaint> on(DeviceId id, Collection<DeviceTaintRule> rules) {
        var taints = new ArrayList<DeviceTaint>();
        for (var rule : rules) {
            if (rule.spec().deviceSelector().map(s -> s.matches(id)).orElse(true)) {
                taints.add(rule.spec().taint());
            }
        }
        return taints;
    }

    /// Whether a rule may mean devices of a pool.
    public static boolean mayTouch(DeviceTaintRule rule, PoolId pool) {
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
