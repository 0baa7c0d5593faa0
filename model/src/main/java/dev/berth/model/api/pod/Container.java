package dev.berth.model.api.pod;

import java.util.List;
import java.util.Optional;

/// The fields of a container that affect scheduling: resources, ports and claims.
public record Container(
        String name,
        String image,
        ResourceRequirements resources,
        Optional<String> restartPolicy,
        List<ContainerPort> ports) {

    public Container {
        ports = List.copyOf(ports);
    }

    /// True for a sidecar: an init container with restart policy `Always`.
    public boolean isSidecar() {
        return restartPolicy.filter("Always"::equals).isPresent();
    }
}
