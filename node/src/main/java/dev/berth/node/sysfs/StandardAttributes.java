package dev.berth.node.sysfs;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.IntList;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import java.util.Map;
import java.util.TreeMap;

/// Standard device attributes of Kubernetes, which have the same meaning for all drivers, so that
/// claims can align a NIC with a GPU.
///
/// Attributes that the machine does not report are omitted.
public final class StandardAttributes {

    public static final String PCI_BUS_ID = "resource.kubernetes.io/pciBusID";
    public static final String PCIE_ROOT = "resource.kubernetes.io/pcieRoot";
    public static final String NUMA_NODE = "resource.kubernetes.io/numaNode";

    /// Upper bound of NUMA node numbers in the API.
    private static final int MAX_NUMA_NODES = 1024;

    private final Sysfs sysfs;

    public StandardAttributes(Sysfs sysfs) {
        this.sysfs = sysfs;
    }

    /// The attributes of a PCI function, with a single NUMA node.
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

    /// The same with a list of all near NUMA nodes, its own first, which requires the feature gate
    /// `DRAListTypeAttributes`.
    public Map<String, AttributeValue> withNearNodes(PciAddress address) {
        var attributes = new TreeMap<>(of(address));
        if (attributes.get(NUMA_NODE) instanceof IntValue(var node)) {
            var near = sysfs.nearNumaNodes((int) node).stream().map(Integer::longValue).toList();
            attributes.put(NUMA_NODE, new IntList(near));
        }
        return attributes;
    }
}
