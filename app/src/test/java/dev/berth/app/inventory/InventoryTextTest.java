package dev.berth.app.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.print.Palette;
import dev.berth.app.print.Terminal;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.model.api.slice.DeviceId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InventoryTextTest {

    private static final String CLAIM = "default/vllm-qvp5c6h249-p687q-gpu-fhw26";

    private static List<NodeInventory> stocks() {
        var device = new DeviceId("gpu.nvidia.com", "h100x8-0", "gpu-0");
        var item =
                new NodeInventory.Item(
                        device,
                        DeviceLocality.of(Map.of()),
                        NodeInventory.State.IN_USE,
                        List.of(CLAIM),
                        List.of(),
                        List.of());
        return List.of(new NodeInventory("h100x8-0", List.of(item), List.of(), List.of()));
    }

    @Test
    void claimsAreShortenedToTheWidthOfTheTerminal() {
        var text = new InventoryText(new Palette(false), 60).of(stocks());
        assertThat(text.lines()).allMatch(line -> line.length() <= 60);
        assertThat(text).contains("in use   default/v").contains("…").contains("fhw26\n");
    }

    @Test
    void nothingIsShortenedWithoutATerminal() {
        assertThat(new InventoryText(new Palette(false), Terminal.UNLIMITED).of(stocks()))
                .contains("in use   " + CLAIM);
    }

    @Test
    void statesHaveColoursOnTerminalsOnly() {
        assertThat(new InventoryText(new Palette(true), 80).of(stocks()))
                .contains("\u001b[1mh100x8-0");
        assertThat(new InventoryText(new Palette(false), 80).of(stocks())).doesNotContain("\u001b");
    }
}
