package dev.berth.node.sysfs;

import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.AttributeValue.IntList;
import dev.berth.model.api.AttributeValue.IntValue;
import dev.berth.model.api.AttributeValue.StringValue;
import java.util.Map;
import java.util.TreeMap;

/// The attributes that mean the same for the devices of all drivers, so that claims can ask for a
/// network card beside a GPU.
///
/// What a machine does not know is left out: an attribute that is there is true.
public final class StandardAttributes {

    public static final String PCI_BUS_ID = "resource.kubernetes.io/pciBusID";
    public static final String PCIE_ROOT = "resource.kubernetes.io/pcieRoot";
    public static final String NUMA_NODE = "resource.kubernetes.io/numaNode";

    /// The API takes no higher numbers of nodes.
    private static final int MAX_NUMA_NODES = 1024;

    private final Sysfs sysfs;

    public StandardAttributes(Sysfs sysfs) {
        this.sysfs = sysfs;
    }

    /// The attributes of a PCI function, with its NUMA node as one number.
    public Map<String, AttributeValue> of(PciAddress address) {
        var attributes = new TreeMap<String, AttributeValue>();
        attributes.put(PCI_BUS_ID, new StringValue(address.text()));
        sysfs.pcieRoot(address).ifPresent(root -> attributes.put(PCIE_ROOT, new StringValue(root)));
        sysfs.numaNode(address)
                .ifPresent(node -> {
                    if (node < MAX_NUMA_NODES) {
                        attributes.put(NUMA_NODE, new IntValue(node));
                    }
                });
        return attributes;
    }

    /// The same with all NUMA nodes that are near, its own first; clusters need the feature gate
    /// `DRAListTypeAttributes` for it.
    public Map<String, AttributeValue> withNearNodes(PciAddress address) {
        var attributes = new TreeMap<>(of(address));
        if (attributes.get(NUMA_NODE) instanceof IntValue(var node)) {
            var near = sysfs.nearNumaNodes((int) node).stream().map(Integer::longValue).toList();
            attributes.put(NUMA_NODE, new IntList(near));
        }
        return attributes;
    }
}
