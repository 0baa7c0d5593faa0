package dev.berth.app.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.print.Palette;
import dev.berth.app.print.Terminal;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.utilisation.DeviceEntry;
import dev.berth.core.utilisation.NodeInventory;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InventoryTextTest {

    private static final String POD = "vllm-qvp5c6h249-p687q-server-of-language-models-fhw26";

    private static NodeInventory node(String name, String... pods) {
        var device = new DeviceId("gpu.nvidia.com", name, "gpu-0");
        var holders = new ArrayList<DeviceEntry.Holder>();
        for (var pod : pods) {
            var claim = new ObjectRef("default", "claim");
            holders.add(new DeviceEntry.Holder(claim, List.of(pod), false));
        }
        var state = pods.length == 0 ? DeviceEntry.State.FREE : DeviceEntry.State.IN_USE;
        var entry =
                new DeviceEntry(
                        device,
                        DeviceLocality.of(Map.of()),
                        state,
                        pods.length == 0 ? 0 : 1,
                        holders,
                        List.of(),
                        List.of(),
                        List.of("gpu.nvidia.com"),
                        "NVIDIA H100",
                        "80Gi",
                        "",
                        "");
        return new NodeInventory(
                List.of(name), false, List.of(entry), List.of(), List.of(), List.of());
    }

    private static String text(int width, boolean isColoured, NodeInventory... nodes) {
        return new InventoryText(new Palette(isColoured), width).of(List.of(nodes));
    }

    @Test
    void namesOfPodsAreShortenedToTheWidthOfTheTerminal() {
        var text = text(60, false, node("h100x8-0", POD));
        assertThat(text.lines()).allMatch(line -> line.length() <= 60);
        assertThat(text).contains("NVIDIA H100 80Gi").contains("…").contains("fhw26\n");
    }

    @Test
    void nothingIsShortenedWithoutATerminal() {
        assertThat(text(Terminal.UNLIMITED, false, node("h100x8-0", POD)))
                .contains("gpu.nvidia.com  in use   NVIDIA H100 80Gi  default/" + POD);
    }

    @Test
    void identicalNodesAreOneTree() {
        var nodes = IntStream.range(0, 40).mapToObj(i -> node("h100x8-" + i)).toList();
        assertThat(text(80, false, nodes.toArray(new NodeInventory[0])))
                .isEqualTo(
                        """
                        h100x8-[0-39] (40 nodes): 1 device each, 1 free
                        └─ gpu-0  free     NVIDIA H100 80Gi
                        """);
    }

    @Test
    void nodesWithDifferentPodsAreDifferentTrees() {
        assertThat(text(80, false, node("a-0", "one"), node("a-1", "two")))
                .contains("a-0: 1 device, 1 in use")
                .contains("a-1: 1 device, 1 in use");
    }

    @Test
    void statesHaveColoursOnTerminalsOnly() {
        assertThat(text(80, true, node("h100x8-0"))).contains("\u001b[1mh100x8-0");
        assertThat(text(80, false, node("h100x8-0"))).doesNotContain("\u001b");
    }
}
