package dev.berth.core.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.DeviceTaintRuleSpec;
import dev.berth.model.api.taint.DeviceTaintSelector;
import dev.berth.model.api.taint.TaintEffect;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaintRulesTest {

    private static final DeviceTaint HOT =
            new DeviceTaint("hot", "", TaintEffect.Known.NO_SCHEDULE, Optional.empty());

    private static final ResourceSlice SLICE =
            new ResourceSlice(
                    ObjectMeta.of("slice"),
                    new ResourceSliceSpec(
                            "driver",
                            new ResourcePool("pool", 1, 1),
                            new NodeScope.AllNodes(),
                            List.of(Device.named("a"), Device.named("b")),
                            List.of(),
                            Optional.empty(),
                            List.of()));

    @Test
    void aRuleTaintsTheDevicesThatItSelects() {
        var selector =
                new DeviceTaintSelector(Optional.of("driver"), Optional.empty(), Optional.of("b"));
        var tainted = TaintRules.apply(SLICE, List.of(rule(Optional.of(selector))));
        assertThat(tainted.spec().devices())
                .extracting(Device::taints)
                .containsExactly(List.of(), List.of(HOT));
    }

    @Test
    void aRuleWithoutSelectorTaintsAllDevices() {
        var tainted = TaintRules.apply(SLICE, List.of(rule(Optional.empty())));
        assertThat(tainted.spec().devices())
                .extracting(Device::taints)
                .containsExactly(List.of(HOT), List.of(HOT));
    }

    @Test
    void sliceWithoutSelectedDevicesIsUnchanged() {
        var elsewhere =
                new DeviceTaintSelector(
                        Optional.empty(), Optional.of("elsewhere"), Optional.empty());
        assertThat(TaintRules.apply(SLICE, List.of(rule(Optional.of(elsewhere))))).isSameAs(SLICE);
    }

    private static DeviceTaintRule rule(Optional<DeviceTaintSelector> selector) {
        return new DeviceTaintRule(
                ObjectMeta.of("rule"), new DeviceTaintRuleSpec(selector, HOT), List.of());
    }
}
