package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.slice.DeviceId;
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
    void everyTypeOfFaultIsRead() {
        var faults =
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
        assertThat(faults.isGone(DEVICE)).isTrue();
        assertThat(faults.prepareDelay(DEVICE)).isEqualTo(Duration.ofSeconds(3));
        assertThat(faults.prepareError(DEVICE)).contains("no power");
        assertThat(faults.isUnattachable(DEVICE)).isTrue();
        assertThat(faults.unhealthyMessage(DEVICE)).contains("hot");
        assertThat(faults.isSilent("n1")).isTrue();
        assertThat(faults.isGone(new DeviceId("d.example.com", "p", "b"))).isFalse();
    }

    @Test
    void faultsOfUnknownDevicesAreReported() {
        var faults =
                FaultReader.read(
                        """
                        faults:
                        - {device: gpu.nvidia.com/t4x2-0/gpu-0, is: gone}
                        - {device: gpu.nvidia.com/t4x2-0/gpu-9, is: gone}
                        - {node: t4x2-0, is: silent}
                        """);
        var pools = HardwareProfiles.builtIn().find("t4x2").orElseThrow().node("t4x2-0", 0).pools();
        assertThat(faults.unknown(pools))
                .containsExactly(new DeviceId("gpu.nvidia.com", "t4x2-0", "gpu-9"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "faults: [{device: a/b, is: gone}]|device: \"a/b\"; expected DRIVER/POOL/DEVICE",
                "faults: [{device: a/b/c, is: slow}]|a slow fault requires \"seconds\" from 0 to"
                        + " 86400",
                "faults: [{is: silent}]|a silent fault requires \"node\"",
                "faults: [{devise: a/b/c}]|unknown field \"devise\" in a fault",
                "[]|expected an object with the list \"faults\"",
            })
    void invalidFaultsAreRejectedWithAMessage(String text, String message) {
        assertThatThrownBy(() -> FaultReader.read(text))
                .isInstanceOf(InvalidFaultsException.class)
                .hasMessage(message);
    }

    @Test
    void changesOfTheFileAreApplied(@TempDir Path directory) throws Exception {
        var file = directory.resolve(FaultFile.NAME);
        var received = new LinkedBlockingQueue<FaultSet>();
        try (var _ = FaultFile.watch(file, received::add)) {
            Files.writeString(file, "faults: [{node: n1, is: silent}]");
            var faults = received.poll(1, TimeUnit.MINUTES);
            assertThat(faults).isNotNull();
            assertThat(faults.isSilent("n1")).isTrue();
            Files.delete(file);
            assertThat(received.poll(1, TimeUnit.MINUTES)).isEqualTo(FaultSet.NONE);
        }
    }
}
