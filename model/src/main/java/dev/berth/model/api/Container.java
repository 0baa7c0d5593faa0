package dev.berth.model.api;

import java.util.List;
import java.util.Optional;

/// The parts of a container that need room, ports or devices.
public record Container(
        String name,
        String image,
        ResourceRequirements resources,
        Optional<String> restartPolicy,
        List<ContainerPort> ports) {

    public Container {
        ports = List.copyOf(ports);
    }

    /// True for an init container that keeps running beside the others.
    public boolean isSidecar() {
        return restartPolicy.filter("Always"::equals).isPresent();
    }
}
