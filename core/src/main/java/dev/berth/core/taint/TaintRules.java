package dev.berth.core.taint;

import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaintRule;
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
            for (var rule : rules) {
                if (rule.spec().deviceSelector().map(s -> s.matches(id)).orElse(true)) {
                    taints.add(rule.spec().taint());
                }
            }
            var isTainted = taints.size() > device.taints().size();
            devices.add(isTainted ? device.withTaints(taints) : device);
            changed |= isTainted;
        }
        return changed ? with(slice, devices) : slice;
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
