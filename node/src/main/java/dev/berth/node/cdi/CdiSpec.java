package dev.berth.node.cdi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A document: devices of one kind, and what each of them does to a container.
///
/// @param version of the specification, as it is written; a document that is to be written needs
///   none, since [CdiDirectory] finds out
/// @param annotations for people and tools; containers do not see them
/// @param devices as they stand, not necessarily valid; see [CdiValidation]
/// @param edits made once when any of the devices is used
public record CdiSpec(
        String version,
        CdiKind kind,
        Map<String, String> annotations,
        List<CdiDevice> devices,
        ContainerEdits edits) {

    public CdiSpec {
        annotations = Map.copyOf(annotations);
        devices = List.copyOf(devices);
    }

    /// A document to be written.
    public static CdiSpec of(CdiKind kind, List<CdiDevice> devices) {
        return new CdiSpec("", kind, Map.of(), devices, ContainerEdits.NONE);
    }

    public CdiSpec withVersion(String newVersion) {
        return new CdiSpec(newVersion, kind, annotations, devices, edits);
    }

    public CdiSpec withEdits(ContainerEdits newEdits) {
        return new CdiSpec(version, kind, annotations, devices, newEdits);
    }

    public CdiSpec withAnnotations(Map<String, String> newAnnotations) {
        return new CdiSpec(version, kind, newAnnotations, devices, edits);
    }

    public Optional<CdiDevice> device(String name) {
        return devices.stream().filter(device -> device.name().equals(name)).findFirst();
    }
}
