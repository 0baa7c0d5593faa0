package dev.berth.app.published;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.publish.DesiredPool;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Hardware profiles publish the devices that real drivers publish: same names, attributes, types
/// and capacities. Only values may differ.
class PublishedSlicesTest {

    private static final String ROOTS = "resource.kubernetes.io/pcieRoot";

    @ParameterizedTest
    @CsvSource({
        "gb200, dranet/examples/oci_oke_examples/BM.GPU.GB200-v3.4/resourceslice-gpu.yaml",
        "gb300, dranet/examples/azure_aks_examples/gb300/resourceslice-gpu.yaml",
        "gb300, dranet/examples/azure_aks_examples/gb300/resourceslice-dranet.yaml",
        "trn1, dranet-fork-eks-neuron/examples/demo-eks-efa/resourceslice-expected.yaml",
        "trn1, dranet-fork-eks-neuron/examples/eks-neuron-efa-dranet/resourceslice-dranet.yaml",
        "dra-cpu-numa, dra-driver-cpu/from-docs/docs_user_device-attributes-01-slice.yaml",
        "dra-cpu, dra-driver-cpu/from-docs/docs_user_device-attributes-02-slice.yaml",
    })
    void aProfileListsWhatTheDriverLists(String profile, String file) {
        var pools = HardwareProfiles.builtIn().find(profile).orElseThrow().node("n", 0).pools();
        for (var manifest : PublishedManifests.find().objects(file)) {
            var slice =
                    new Codec()
                            .readTree(
                                    Kinds.RESOURCE_SLICE,
                                    manifest.object(),
                                    UnknownFieldPolicy.LENIENT)
                            .value()
                            .orElseThrow();
            var pool =
                    pools.stream()
                            .filter(one -> one.id().driver().equals(slice.spec().driver()))
                            .findFirst()
                            .orElseThrow();
            assertThat(shapes(pool)).containsAllEntriesOf(shapes(slice));
        }
    }

    private static Map<String, String> shapes(ResourceSlice slice) {
        var shapes = new TreeMap<String, String>();
        slice.spec().devices().forEach(device -> shapes.put(device.name(), shape(device)));
        return shapes;
    }

    private static Map<String, String> shapes(DesiredPool pool) {
        var shapes = new TreeMap<String, String>();
        pool.devices().forEach(device -> shapes.put(device.name(), shape(device)));
        return shapes;
    }

    private static String shape(Device device) {
        var types = new TreeMap<String, String>();
        device.attributes().forEach((name, value) -> types.put(name, type(value)));
        // List attributes are alpha and disabled, so profiles omit them.
        types.remove(ROOTS, "StringList");
        var amounts = new TreeMap<String, String>();
        device.capacity().forEach((name, one) -> amounts.put(name, one.value().toString()));
        return "%s %s %b".formatted(types, amounts, device.isShareable());
    }

    private static String type(AttributeValue value) {
        return value.getClass().getSimpleName();
    }
}
