package dev.berth.core.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.slice.AttributeValue.IntList;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringList;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceLocalityTest {

    @Test
    void standardNamesWinOverOthers() {
        var locality =
                DeviceLocality.of(
                        Map.of(
                                "pciRoot", new StringValue("old"),
                                "resource.kubernetes.io/pcieRoot", new StringValue("pci0000:10"),
                                "dra.net/numaNode", new IntValue(7),
                                "resource.kubernetes.io/numaNode", new IntValue(1)));
        assertThat(locality).isEqualTo(new DeviceLocality(List.of("pci0000:10"), List.of(1L)));
    }

    @Test
    void listsAndOlderSpellingsAreRead() {
        assertThat(
                        DeviceLocality.of(
                                Map.of(
                                        "resource.kubernetes.io/pcieRoot",
                                        new StringList(List.of("a", "b")),
                                        "dra.cpu/numaNodeID",
                                        new IntList(List.of(0L, 1L)))))
                .isEqualTo(new DeviceLocality(List.of("a", "b"), List.of(0L, 1L)));
        assertThat(DeviceLocality.of(Map.of("numaInfo", new StringValue("3"))).numaNodes())
                .containsExactly(3L);
    }

    @Test
    void minusOneMeansUnknown() {
        assertThat(DeviceLocality.of(Map.of("dra.net/numaNode", new IntValue(-1))).numaNodes())
                .isEmpty();
    }
}
