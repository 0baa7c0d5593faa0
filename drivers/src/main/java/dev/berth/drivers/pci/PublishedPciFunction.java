package dev.berth.drivers.pci;

import dev.berth.drivers.machine.TextAttributes;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.Device;
import dev.berth.node.sysfs.StandardAttributes;
import java.util.List;
import java.util.TreeMap;

/// A published PCI function.
///
/// @param files device files below `/dev` for containers
record PublishedPciFunction(PciFunction function, PciFunctionMode use, List<String> files) {

    PublishedPciFunction {
        files = List.copyOf(files);
    }

    static List<String> vfioFiles(String group) {
        return List.of("vfio/vfio", "vfio/" + group);
    }

    /// Whether containers get any device file.
    boolean isUseful() {
        return !files.isEmpty();
    }

    Device device(StandardAttributes standard) {
        var attributes = new TreeMap<String, AttributeValue>(standard.of(function.address()));
        TextAttributes.put(attributes, "vendor", function.vendor());
        TextAttributes.put(attributes, "device", function.device());
        TextAttributes.put(attributes, "class", function.classCode());
        TextAttributes.put(attributes, "driver", function.driver().orElse(""));
        TextAttributes.put(attributes, "iommuGroup", function.group().orElse(""));
        TextAttributes.put(attributes, "use", use.toString());
        attributes.put("isSriovVf", new BoolValue(function.isVirtual()));
        function.physical().ifPresent(one -> TextAttributes.put(attributes, "sriovPf", one.text()));
        if (function.totalVfs() > 0) {
            attributes.put("sriovTotalVfs", new IntValue(function.totalVfs()));
            attributes.put("sriovVfs", new IntValue(function.numVfs()));
        }
        return Device.named(function.name()).withAttributes(attributes);
    }
}
