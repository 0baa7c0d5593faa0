package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.DeviceId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultReaderTest {

    private static final DeviceId DEVICE = new DeviceId("d.example.com", "p", "a");

    @Test
    void everySortOfFaultCanBeWritten() {
        var sheet =
                FaultReader.read(
                        """
                        faults:
                        - {device: d.example.com/p/a, is: gone}
                        - {device: d.example.com/p/a, is: slow, seconds: 3}
                        - {device: d.example.com/p/a, is: failing, message: no power}
                        - {device: d.example.com/p/a, is: unattachable}
                        - {device: d.example.com/p/a, is: unhealthy, message: hot}
                        - {node: n1, is: silent}
                        """);
        assertThat(sheet.isGone(DEVICE)).isTrue();
        assertThat(sheet.slowness(DEVICE)).isEqualTo(Duration.ofSeconds(3));
        assertThat(sheet.refusal(DEVICE)).contains("no power");
        assertThat(sheet.isUnattachable(DEVICE)).isTrue();
        assertThat(sheet.ailment(DEVICE)).contains("hot");
        assertThat(sheet.isSilent("n1")).isTrue();
        assertThat(sheet.isGone(new DeviceId("d.example.com", "p", "b"))).isFalse();
    }

    @Test
    void devicesThatNoPoolHasAreFound() {
        var sheet =
                FaultReader.read(
                        """
                        faults:
                        - {device: gpu.nvidia.com/t4x2-0/gpu-0, is: gone}
                        - {device: gpu.nvidia.com/t4x2-0/gpu-9, is: gone}
                        - {node: t4x2-0, is: silent}
                        """);
        var pools = HardwareProfiles.builtIn().find("t4x2").orElseThrow().node("t4x2-0", 0).pools();
        assertThat(sheet.unknown(pools))
                .containsExactly(new DeviceId("gpu.nvidia.com", "t4x2-0", "gpu-9"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "faults: [{device: a/b, is: gone}]|device: \"a/b\"; expected DRIVER/POOL/DEVICE",
                "faults: [{device: a/b/c, is: slow}]|a slow one needs \"seconds\", from 0 to 86400",
                "faults: [{is: silent}]|a silent one needs a \"node\"",
                "faults: [{devise: a/b/c}]|a fault has no field \"devise\"",
                "[]|an object with a list \"faults\" is needed",
            })
    void mistakesAreNamed(String text, String message) {
        assertThatThrownBy(() -> FaultReader.read(text))
                .isInstanceOf(InvalidFaultsException.class)
                .hasMessage(message);
    }

    @Test
    void aFileIsFollowed(@TempDir Path directory) throws Exception {
        var file = directory.resolve(FaultFile.NAME);
        var told = new LinkedBlockingQueue<FaultSet>();
        try (var _ = FaultFile.follow(file, told::add)) {
            Files.writeString(file, "faults: [{node: n1, is: silent}]");
            var sheet = told.poll(1, TimeUnit.MINUTES);
            assertThat(sheet).isNotNull();
            assertThat(sheet.isSilent("n1")).isTrue();
            Files.delete(file);
            assertThat(told.poll(1, TimeUnit.MINUTES)).isEqualTo(FaultSet.NONE);
        }
    }
}
