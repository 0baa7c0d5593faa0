package dev.berth.core.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.AttributeValue.IntList;
import dev.berth.model.api.AttributeValue.IntValue;
import dev.berth.model.api.AttributeValue.StringList;
import dev.berth.model.api.AttributeValue.StringValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalityTest {

    @Test
    void standardNamesWinOverOthers() {
        var locality =
                Locality.of(
                        Map.of(
                                "pciRoot", new StringValue("old"),
                                "resource.kubernetes.io/pcieRoot", new StringValue("pci0000:10"),
                                "dra.net/numaNode", new IntValue(7),
                                "resource.kubernetes.io/numaNode", new IntValue(1)));
        assertThat(locality).isEqualTo(new Locality(List.of("pci0000:10"), List.of(1L)));
    }

    @Test
    void listsAndOlderSpellingsAreRead() {
        assertThat(
                        Locality.of(
                                Map.of(
                                        "resource.kubernetes.io/pcieRoot",
                                        new StringList(List.of("a", "b")),
                                        "dra.cpu/numaNodeID",
                                        new IntList(List.of(0L, 1L)))))
                .isEqualTo(new Locality(List.of("a", "b"), List.of(0L, 1L)));
        assertThat(Locality.of(Map.of("numaInfo", new StringValue("3"))).numaNodes())
                .containsExactly(3L);
    }

    @Test
    void minusOneMeansUnknown() {
        assertThat(Locality.of(Map.of("dra.net/numaNode", new IntValue(-1))).numaNodes()).isEmpty();
    }
}
