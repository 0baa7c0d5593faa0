package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.admission.Admission;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.core.publish.DesiredPool;
import dev.berth.core.publish.SliceCommand;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HardwareProfilesTest {

    private static final HardwareProfiles PROFILES = HardwareProfiles.builtIn();

    static List<String> names() {
        return PROFILES.all().stream().map(HardwareProfile::name).toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyProfileYieldsSlicesThatTheServerAccepts(String name) {
        var profile = PROFILES.find(name).orElseThrow();
        var pools = new ArrayList<>(profile.node(name + "-0", 0).pools());
        pools.addAll(profile.sharedPools());
        var admission = new Admission(FeatureGates.defaults());
        for (var command : new SliceReconciler(List.of()).commands(pools, List.of())) {
            assertThat(command).isInstanceOf(SliceCommand.Create.class);
            var slice = ((SliceCommand.Create) command).slice();
            var tree = new Codec().toTree(Kinds.RESOURCE_SLICE, slice);
            assertThat(
                            admission
                                    .create(AdmissionKind.RESOURCE_SLICE, tree, Instant.EPOCH)
                                    .problems())
                    .as(slice.metadata().name())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyProfileHasADescription(String name) {
        var profile = PROFILES.find(name).orElseThrow();
        assertThat(profile.description()).isNotEmpty();
        assertThat(profile.node("n", 0).capacity()).containsKeys("cpu", "memory", "pods");
    }

    @Test
    void theClassesAreValid() {
        var admission = new Admission(FeatureGates.defaults());
        assertThat(HardwareProfiles.deviceClasses()).hasSizeGreaterThan(20);
        for (JsonObject one : HardwareProfiles.deviceClasses()) {
            assertThat(admission.create(AdmissionKind.DEVICE_CLASS, one, Instant.EPOCH).problems())
                    .as(one.objectOrEmpty("metadata").text("name"))
                    .isEmpty();
        }
    }

    @Test
    void gpusAndNicsOfAnH100NodePairUpByPcieRoot() {
        var node = PROFILES.find("h100x8").orElseThrow().node("node-1", 0);
        var gpus = pool(node, "gpu.nvidia.com").devices();
        var nics = pool(node, "dra.net").devices();
        assertThat(gpus).hasSize(8);
        assertThat(nics.stream().map(HardwareProfilesTest::root).toList())
                .isEqualTo(gpus.stream().map(HardwareProfilesTest::root).toList())
                .doesNotHaveDuplicates();
    }

    @Test
    void aSplitA100ListsAllPlacements() {
        var node = PROFILES.find("a100-mig").orElseThrow().node("node-1", 0);
        var pool = pool(node, "gpu.nvidia.com");
        assertThat(pool.devices()).hasSize(4 * 25);
        assertThat(pool.counters()).hasSize(4);
        var half =
                pool.devices().stream()
                        .filter(device -> device.name().equals("gpu-3-mig-3g20gb-9-4"))
                        .findFirst()
                        .orElseThrow();
        assertThat(half.consumesCounters().getFirst().counters())
                .containsKeys("memory-slice-4", "memory-slice-7")
                .doesNotContainKey("memory-slice-3")
                .containsEntry("memory", Quantity.parse("20096Mi"));
    }

    @Test
    void camerasAreNetworkAttached() {
        var profile = PROFILES.find("camera").orElseThrow();
        assertThat(profile.node("n", 0).pools()).isEmpty();
        assertThat(profile.sharedPools().getFirst().scope())
                .isInstanceOf(NodeScope.MatchingNodes.class);
    }

    @Test
    void nodesOfOneProfileHaveDifferentDevices() {
        var profile = PROFILES.find("h100x8").orElseThrow();
        assertThat(pool(profile.node("a", 0), "gpu.nvidia.com").devices().getFirst())
                .isNotEqualTo(pool(profile.node("b", 1), "gpu.nvidia.com").devices().getFirst())
                .isEqualTo(pool(profile.node("a", 0), "gpu.nvidia.com").devices().getFirst());
    }

    @Test
    void profilesOfADirectoryAreAdded(@TempDir Path directory) throws IOException {
        Files.writeString(
                directory.resolve("mine.yaml"),
                """
                description: mine
                capacity: {cpu: 1, memory: 1Gi, pods: 10}
                pools:
                - driver: d.example.com
                  devices: [{count: 3, name: 'd-${i * 2 + 1}'}]
                """);
        var node = PROFILES.with(directory).find("mine").orElseThrow().node("n", 0);
        assertThat(pool(node, "d.example.com").devices().stream().map(Device::name))
                .containsExactly("d-1", "d-3", "d-5");
    }

    @Test
    void invalidProfileIsRejectedWithAMessage(@TempDir Path directory) throws IOException {
        Files.writeString(
                directory.resolve("bad.yaml"),
                "pools: [{driver: d.example.com, devices: [{name: 'd-${wrong}'}]}]");
        var profile = PROFILES.with(directory).find("bad").orElseThrow();
        assertThatThrownBy(() -> profile.node("n", 0))
                .isInstanceOf(InvalidProfileException.class)
                .hasMessage("profile bad: ${wrong}: unknown name \"wrong\"");
    }

    private static DesiredPool pool(SimulatedNodeSpec node, String driver) {
        return node.pools().stream()
                .filter(pool -> pool.id().driver().equals(driver))
                .findFirst()
                .orElseThrow();
    }

    private static AttributeValue root(Device device) {
        var root = device.attributes().get("resource.kubernetes.io/pcieRoot");
        assertThat(root).isNotNull();
        return root == null ? new AttributeValue.StringValue("") : root;
    }
}
