package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.codec.Codec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DroppedFieldsTest {

    private final DroppedFields dropped = new DroppedFields();
    private final Codec codec = new Codec();

    @Test
    void droppedFieldsAreReportedOnceAndThenCountAsStored() {
        var sent = slice(Device.named("a").withTaints(List.of(taint(Optional.empty()))));
        var stored = slice(Device.named("a"));
        assertThat(dropped.compare(sent, stored, codec))
                .map(DriverProblem::message)
                .contains(
                        "the cluster dropped spec.devices[].taints of slice s: is a feature gate"
                                + " off?");
        assertThat(dropped.compare(sent, stored, codec)).isEmpty();
        assertThat(dropped.asSent(stored)).isEqualTo(sent);
        var other = slice(Device.named("b"));
        assertThat(dropped.asSent(other)).isEqualTo(other);
    }

    @Test
    void timeAddedOfTaintsIsIgnored() {
        var sent = slice(Device.named("a").withTaints(List.of(taint(Optional.empty()))));
        var stored =
                slice(Device.named("a").withTaints(List.of(taint(Optional.of(Instant.EPOCH)))));
        assertThat(dropped.compare(sent, stored, codec)).isEmpty();
        assertThat(dropped.asSent(stored)).isEqualTo(stored);
    }

    private static DeviceTaint taint(Optional<Instant> added) {
        return new DeviceTaint("k", "v", TaintEffect.of("NoSchedule"), added);
    }

    private static ResourceSlice slice(Device device) {
        return new ResourceSlice(
                ObjectMeta.of("s"),
                new ResourceSliceSpec(
                        "d.com",
                        new ResourcePool("p", 1, 1),
                        new NodeScope.OneNode("n"),
                        List.of(device),
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }
}
