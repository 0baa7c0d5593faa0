package dev.berth.drivers.chardev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.testing.Bundle;
import dev.berth.drivers.testing.Claims;
import dev.berth.drivers.testing.Needs;
import dev.berth.drivers.testing.SysfsFixture;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.driver.Parameters;
import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.StandardAttributes;
import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChardevDriverTest {

    @TempDir private Path directory = Path.of("");

    private static CharacterDevice file(String path) {
        return new CharacterDevice(path, 10, 1, Optional.empty(), Optional.empty());
    }

    @Test
    void filesBecomeDevicesByRule() {
        var files =
                List.of(
                        file("fuse"),
                        file("full"),
                        file("hwrng"),
                        file("kvm"),
                        file("net/tun"),
                        file("snd/controlC0"),
                        file("snd/controlC1"),
                        file("snd/pcmC0D0c"),
                        file("snd/pcmC0D0p"),
                        file("snd/timer"),
                        file("video0"));
        var offers = PublishedChardevs.of(files, ChardevConfig.BUILT_IN);
        assertThat(offers)
                .extracting(PublishedChardev::name)
                .containsExactly("fuse", "hwrng", "kvm", "snd-0", "snd-1", "tun", "video-0");
        assertThat(offers.get(3).files())
                .extracting(CharacterDevice::path)
                .containsExactly("snd/controlC0", "snd/pcmC0D0c", "snd/pcmC0D0p");
    }

    @Test
    void filesOfOneCardFormOneDevice() {
        var first = Optional.of("/sys/devices/pci0000:00/0000:00:02.0");
        var second = Optional.of("/sys/devices/pci0000:00/0000:01:00.0");
        var offers =
                PublishedChardevs.of(
                        List.of(
                                new CharacterDevice("dri/card0", 226, 0, first, Optional.empty()),
                                new CharacterDevice("dri/card1", 226, 1, second, Optional.empty()),
                                new CharacterDevice(
                                        "dri/renderD128", 226, 128, first, Optional.empty()),
                                new CharacterDevice(
                                        "dri/renderD129", 226, 129, second, Optional.empty())),
                        ChardevConfig.BUILT_IN);
        assertThat(offers)
                .extracting(PublishedChardev::name)
                .containsExactly("dri-card0", "dri-card1");
        assertThat(offers.getLast().files())
                .extracting(CharacterDevice::path)
                .containsExactly("dri/card1", "dri/renderD129");
    }

    @Test
    void attributesContainPathAndLocality() throws Exception {
        var machine = SysfsFixture.unpacked(directory);
        var card =
                new CharacterDevice(
                        "dri/card0",
                        226,
                        0,
                        Optional.empty(),
                        Optional.of(new PciAddress("0000:41:00.0")));
        var offer = PublishedChardevs.of(List.of(card), ChardevConfig.BUILT_IN).getFirst();
        var device = PublishedChardevs.device(offer, new StandardAttributes(machine.sysfs()));
        assertThat(device.attributes())
                .containsEntry("kind", new StringValue("dri"))
                .containsEntry("path", new StringValue("/dev/dri/card0"))
                .containsEntry("major", new IntValue(226))
                .containsEntry("resource.kubernetes.io/pcieRoot", new StringValue("pci0000:40"))
                .containsEntry("resource.kubernetes.io/numaNode", new IntValue(1));
        assertThat(device.isShareable()).isFalse();
    }

    @Test
    void configuredRulesTakePrecedence() {
        var config = config("rules: [{kind: vm, path: kvm, slots: 3, permissions: r}]");
        var offer =
                PublishedChardevs.of(List.of(file("kvm"), file("fuse")), config.rules()).getLast();
        var device = PublishedChardevs.device(offer, new StandardAttributes(new Sysfs(directory)));
        assertThat(device.name()).isEqualTo("vm");
        assertThat(device.isShareable()).isTrue();
        assertThat(device.capacity()).containsOnlyKeys("slots");
        assertThat(device.capacity().values())
                .extracting(DeviceCapacity::value)
                .containsExactly(Quantity.of(3));
        assertThat(config("builtIn: false").rules()).isEmpty();
    }

    private static ChardevConfig config(String yaml) {
        return ChardevConfig.parameters().read(tree(yaml))
                        instanceof Parameters.Result.Valid<ChardevConfig>(var config)
                ? config
                : ChardevConfig.DEFAULTS;
    }

    private static JsonObject tree(String yaml) {
        return YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    @Test
    void invalidRulesAreRejected() {
        assertThat(
                        ChardevConfig.parameters()
                                .read(tree("rules: [{kind: A b, path: '(', slots: 0, colour: 1}]")))
                .isInstanceOfSatisfying(
                        Parameters.Result.Invalid.class,
                        invalid ->
                                assertThat(invalid.problems().toString())
                                        .contains("rules[0].kind: \"A b\" is not a name")
                                        .contains("rules[0].path: \"(\" is not a regular")
                                        .contains("rules[0].slots: 0 is not between")
                                        .contains("unknown field \"rules[0].colour\""));
    }

    @Test
    void aContainerCanOpenItsDeviceOnly() throws Exception {
        Needs.containers();
        Needs.file("/dev/fuse");
        Needs.file("/dev/hwrng");
        var driver = new ChardevDriver(MachineRoots.here(), ChardevConfig.DEFAULTS);
        var none = new Parameters.None();
        var claim = Claims.assignment("c", ChardevDriver.NAME, none, "fuse");
        assertThat(driver.discover()).extracting(Device::name).contains("fuse", "hwrng");
        try (var bundle = new Bundle(directory, "berth-chardev")) {
            // mknod would create the file, but the cgroup denies access.
            var other = bundle.root().resolve("tmp/hwrng").toString();
            new HostCommands().run("mknod", "-m", "666", other, "c", "10", "183");
            var ended =
                    bundle.with(driver.prepare(claim))
                            .run(
                                    "exec 3<>/dev/fuse && echo fuse is open;"
                                            + " head -c 1 /tmp/hwrng 2>&1; env");
            assertThat(ended.output())
                    .contains("fuse is open")
                    .contains("not permitted")
                    .contains("BERTH_CHARDEV_FUSE=/dev/fuse");
        }
    }

    @Test
    void removedDeviceCannotBePrepared() throws Exception {
        Needs.root();
        var dev = Files.createDirectories(directory.resolve("dev"));
        new HostCommands().run("mknod", dev.resolve("kvm").toString(), "c", "10", "232");
        Files.createDirectories(dev.resolve("net"));
        var driver = new ChardevDriver(MachineRoots.here().withDev(dev), ChardevConfig.DEFAULTS);
        assertThat(driver.discover()).extracting(Device::name).containsExactly("kvm");
        Files.delete(dev.resolve("kvm"));
        var none = new Parameters.None();
        assertThatThrownBy(() ->
                        driver.prepare(Claims.assignment("c", ChardevDriver.NAME, none, "kvm")))
                .hasMessageContaining("device kvm not found");
    }
}
