package dev.berth.node.cdi;

import java.util.Map;

/// A device of a CDI spec.
///
/// @param name unique within the kind
/// @param edits at least one
public record CdiDevice(String name, Map<String, String> annotations, ContainerEdits edits) {

    public CdiDevice {
        annotations = Map.copyOf(annotations);
    }

    public CdiDevice(String name, ContainerEdits edits) {
        this(name, Map.of(), edits);
    }
}
