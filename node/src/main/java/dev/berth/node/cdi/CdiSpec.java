package dev.berth.node.cdi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A CDI spec: devices of one kind, and the container edits of each.
///
/// @param version of the specification; a spec to be written needs none, since [CdiDirectory] sets
///   it
/// @param annotations metadata; containers do not see them
/// @param devices not necessarily valid; see [CdiValidation]
/// @param edits applied once if any of the devices is used
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

    /// A spec to be written.
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
