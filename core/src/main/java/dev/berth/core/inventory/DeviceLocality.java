package dev.berth.core.inventory;

import dev.berth.model.api.slice.AttributeValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The PCIe roots and NUMA nodes of a device, from its attributes.
///
/// Names were standardised late, so the usual older spellings are read too, after the standard
/// ones.
///
/// @param pcieRoots mostly one; CPUs may be near several
/// @param numaNodes mostly one
public record DeviceLocality(List<String> pcieRoots, List<Long> numaNodes) {

    private static final List<String> PCIE_ROOT_IDS = List.of("pcieRoot", "pciRoot");
    private static final List<String> NUMA_IDS =
            List.of("numaNode", "numaNodeID", "numa", "numaInfo");
    private static final String STANDARD = "resource.kubernetes.io/";

    public DeviceLocality {
        pcieRoots = List.copyOf(pcieRoots);
        numaNodes = List.copyOf(numaNodes);
    }

    /// The locality of a device with these attributes.
    ///
    /// @param attributes attributes by their names as published
    public static DeviceLocality of(Map<String, AttributeValue> attributes) {
        return new DeviceLocality(
                find(attributes, PCIE_ROOT_IDS).map(DeviceLocality::texts).orElse(List.of()),
                find(attributes, NUMA_IDS).map(DeviceLocality::numbers).orElse(List.of()));
    }

    /// Whether the locality may depend on attributes with this name without domain.
    public static boolean isLocality(String id) {
        return PCIE_ROOT_IDS.contains(id) || NUMA_IDS.contains(id);
    }

    private static Optional<AttributeValue> find(
            Map<String, AttributeValue> attributes, List<String> ids) {
        var standard = Optional.ofNullable(attributes.get(STANDARD + ids.getFirst()));
        if (standard.isPresent()) {
            return standard;
        }
        for (var id : ids) {
            for (var entry : attributes.entrySet()) {
                if (entry.getKey().equals(id) || entry.getKey().endsWith("/" + id)) {
                    return Optional.of(entry.getValue());
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> texts(AttributeValue value) {
        return switch (value) {
            case AttributeValue.StringValue(var text) -> List.of(text);
            case AttributeValue.StringList(var all) -> all;
            default -> List.of();
        };
    }

    /// Some drivers write -1 for "unknown", and some write numbers as text.
    private static List<Long> numbers(AttributeValue value) {
        var written =
                switch (value) {
                    case AttributeValue.IntValue(var number) -> List.of(number);
                    case AttributeValue.IntList(var all) -> all;
                    case AttributeValue.StringValue(var text) when text.matches("[0-9]{1,9}") ->
                            List.of(Long.valueOf(text));
                    default -> List.<Long>of();
                };
        return written.stream().filter(number -> number >= 0).toList();
    }
}
