package dev.berth.drivers.nic;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.NetworkLink;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.drivers.machine.TextAttributes;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.StandardAttributes;
import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/// A published interface of the machine.
///
/// @param speed in Mbit/s; 0 if unknown
/// @param virtualFunctions maximum number of SR-IOV virtual functions
record Nic(
        String name,
        String mac,
        long mtu,
        String kind,
        String state,
        long speed,
        String driver,
        Optional<PciAddress> pciFunction,
        boolean hasRdma,
        long virtualFunctions,
        boolean isVirtualFunction) {

    /// Reads an interface from `ip` and `/sys`.
    static Nic of(NetworkLink link, Sysfs sysfs) {
        var links = new SysfsLinks(sysfs);
        var at = "class/net/" + link.name();
        return new Nic(
                link.name(),
                link.mac(),
                link.mtu(),
                link.kind(),
                link.state().toLowerCase(Locale.ROOT),
                number(sysfs, at + "/speed"),
                links.target(at + "/device/driver").orElse(""),
                links.pciFunction(at + "/device"),
                links.has(at + "/device/infiniband"),
                number(sysfs, at + "/device/sriov_totalvfs"),
                links.has(at + "/device/physfn"));
    }

    private static long number(Sysfs sysfs, String file) {
        return sysfs.text(Path.of(file))
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    /// The device's name.
    String deviceName() {
        return DerivedNames.label(name);
    }

    Device device(StandardAttributes standard) {
        var attributes = new TreeMap<String, AttributeValue>();
        TextAttributes.put(attributes, "ifName", name);
        TextAttributes.put(attributes, "mac", mac);
        TextAttributes.put(attributes, "kind", kind);
        TextAttributes.put(attributes, "state", state);
        TextAttributes.put(attributes, "driver", driver);
        attributes.put("mtu", new IntValue(mtu));
        attributes.put("made", new BoolValue(false));
        attributes.put("rdma", new BoolValue(hasRdma));
        attributes.put("sriovVfs", new IntValue(virtualFunctions));
        attributes.put("isSriovVf", new BoolValue(isVirtualFunction));
        if (speed > 0) {
            attributes.put("speedMbps", new IntValue(speed));
        }
        pciFunction.ifPresent(address -> attributes.putAll(standard.of(address)));
        return Device.named(deviceName()).withAttributes(attributes);
    }

    JsonObject tree() {
        return JsonObject.of("name", Json.of(name))
                .with("mac", Json.of(mac))
                .with("mtu", Json.of(mtu))
                .with("kind", Json.of(kind))
                .with("state", Json.of(state))
                .with("speed", Json.of(speed))
                .with("driver", Json.of(driver))
                .with("pci", Json.of(pciFunction.map(PciAddress::text).orElse("")))
                .with("rdma", Json.of(hasRdma))
                .with("vfs", Json.of(virtualFunctions))
                .with("vf", Json.of(isVirtualFunction));
    }

    static Nic of(JsonObject tree) {
        return new Nic(
                tree.text("name"),
                tree.text("mac"),
                tree.number("mtu").orElse(0),
                tree.text("kind"),
                tree.text("state"),
                tree.number("speed").orElse(0),
                tree.text("driver"),
                PciAddress.tryParse(tree.text("pci")),
                tree.flag("rdma").orElse(false),
                tree.number("vfs").orElse(0),
                tree.flag("vf").orElse(false));
    }
}
