package dev.berth.node.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.IntelRdt;
import dev.berth.node.cdi.ContainerEdits.Mount;
import dev.berth.node.cdi.ContainerEdits.NetDevice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CdiVersionsTest {

    private static final CdiKind KIND = new CdiKind("vendor.com", "gpu");
    private static final ContainerEdits ENV = ContainerEdits.NONE.withEnv("A", "b");

    @Test
    void basicEditsNeedTheOldestVersion() {
        assertThat(required("a", ENV)).isEqualTo("0.3.0");
        assertThat(required("a", ENV.withDeviceNode(DeviceNode.of("/dev/x").withPermissions("r"))))
                .isEqualTo("0.3.0");
    }

    @Test
    void eachFieldNeedsTheVersionThatIntroducedIt() {
        var mount = new Mount("/a", "/b", List.of(), "bind");
        assertThat(required("a", ENV.withMount(mount))).isEqualTo("0.4.0");
        assertThat(required("0", ENV)).isEqualTo("0.5.0");
        assertThat(required("a", ENV.withDeviceNode(DeviceNode.of("/a").withHostPath("/b"))))
                .isEqualTo("0.5.0");
        assertThat(required("a", edits(List.of(), List.of(4L), Optional.empty())))
                .isEqualTo("0.7.0");
        assertThat(required("a", edits(List.of(), List.of(), Optional.of(rdt(false)))))
                .isEqualTo("0.7.0");
        assertThat(required("a", edits(List.of(), List.of(), Optional.of(rdt(true)))))
                .isEqualTo("1.1.0");
        var net = List.of(new NetDevice("e", "n"));
        assertThat(required("a", edits(net, List.of(), Optional.empty()))).isEqualTo("1.1.0");
    }

    @Test
    void editsOfTheSpecCountToo() {
        var gids = edits(List.of(), List.of(4L), Optional.empty());
        assertThat(CdiVersions.required(spec("a", ENV).withEdits(gids))).isEqualTo("0.7.0");
    }

    @Test
    void annotationsAndDotsInTheClassNeedVersionSix() {
        assertThat(CdiVersions.required(spec("a", ENV).withAnnotations(Map.of("a", "b"))))
                .isEqualTo("0.6.0");
        var dotted = CdiSpec.of(new CdiKind("a.com", "b.c"), List.of(new CdiDevice("d", ENV)));
        assertThat(CdiVersions.required(dotted)).isEqualTo("0.6.0");
        var annotated = CdiSpec.of(KIND, List.of(new CdiDevice("a", Map.of("b", "c"), ENV)));
        assertThat(CdiVersions.required(annotated)).isEqualTo("0.6.0");
    }

    @Test
    void theWrittenVersionIsTheWidelyReadOneUnlessAFieldNeedsMore() {
        assertThat(CdiVersions.toWrite(spec("a", ENV))).isEqualTo("0.5.0");
        assertThat(CdiVersions.toWrite(spec("a", edits(List.of(), List.of(4L), Optional.empty()))))
                .isEqualTo("0.7.0");
    }

    private static String required(String device, ContainerEdits edits) {
        return CdiVersions.required(spec(device, edits));
    }

    private static CdiSpec spec(String device, ContainerEdits edits) {
        return CdiSpec.of(KIND, List.of(new CdiDevice(device, edits)));
    }

    private static IntelRdt rdt(boolean monitoring) {
        return new IntelRdt("a", "", "", false, false, List.of(), monitoring);
    }

    private static ContainerEdits edits(
            List<NetDevice> net, List<Long> gids, Optional<IntelRdt> rdt) {
        return new ContainerEdits(List.of(), List.of(), net, List.of(), List.of(), gids, rdt);
    }
}
