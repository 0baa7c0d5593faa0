package dev.berth.node.volume;

import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.ContainerDefinition;
import dev.berth.node.pod.InvalidContainerException;
import dev.berth.node.pod.VariableExpansion;
import dev.berth.node.runtime.ContainerSpec.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Resolves the `volumeMounts` of a container.
///
/// @param volumes of the pod, by name
/// @param variables of the container, for `subPathExpr`
public record VolumeMounts(
        PodDirectory pod,
        ContainerDefinition container,
        Map<String, MountedVolume> volumes,
        Map<String, String> variables) {

    public VolumeMounts {
        volumes = Map.copyOf(volumes);
        variables = Map.copyOf(variables);
    }

    /// The mounts, with host paths that no container can change.
    public List<Mount> mounts() throws InvalidContainerException {
        var mounts = new ArrayList<Mount>();
        for (var mount : container.tree().objects("volumeMounts")) {
            var volume = volumes.get(mount.text("name"));
            if (volume == null) {
                throw InvalidContainerException.config(
                        "container %s mounts volume %s, which the pod does not have"
                                .formatted(container.name(), mount.text("name")));
            }
            mounts.add(
                    new Mount(
                            source(volume, mount, mounts.size()),
                            mount.text("mountPath"),
                            volume.isReadOnly() || mount.flag("readOnly").orElse(false)));
        }
        return mounts;
    }

    private Path source(MountedVolume volume, JsonObject mount, int index)
            throws InvalidContainerException {
        var subPath =
                mount.string("subPath")
                        .or(() ->
                                mount.string("subPathExpr")
                                        .map(text -> VariableExpansion.of(text, variables)))
                        .orElse("");
        var names = List.of(subPath.split("/", -1));
        if (subPath.startsWith("/") || names.contains("..")) {
            throw InvalidContainerException.config(
                    "subPath \"%s\" of volume %s leads out of it"
                            .formatted(subPath, mount.text("name")));
        }
        if (names.stream().allMatch(name -> name.isEmpty() || name.equals("."))) {
            return volume.path();
        }
        try {
            return new SubPaths(pod)
                    .bind(volume, mount.text("name"), subPath, container.name(), index);
        } catch (IOException e) {
            throw InvalidContainerException.config(
                    "failed to prepare subPath for volumeMount \"%s\" of container \"%s\": %s"
                            .formatted(mount.text("name"), container.name(), e.getMessage()));
        }
    }
}
