package dev.berth.node.volume;

import dev.berth.model.api.Uid;
import dev.berth.node.file.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;

/// Where the files of a pod are. No container can change any of these directories themselves; what
/// is in `volumes/NAME` belongs to the containers.
///
/// ```
/// volumes/NAME                             an emptyDir
/// published/NAME/volume                    what containers see of a ConfigMap, Secret, ...
/// published/NAME/staging                   its next content, which no container sees
/// volume-subpaths/VOLUME/CONTAINER/INDEX   mounts of parts of volumes
/// containers/NAME/ATTEMPT.message          termination messages
/// ```
///
/// @param path of the pod
public record PodDirectory(Path path) {

    /// @param pods where each pod has a directory named by its UID
    static PodDirectory of(Path pods, Uid pod) {
        return new PodDirectory(pods.resolve(pod.value()));
    }

    Path volumes() {
        return path.resolve("volumes");
    }

    Path published(String volume) {
        return path.resolve("published").resolve(volume);
    }

    Path subPaths(String volume, String container) {
        return path.resolve("volume-subpaths").resolve(volume).resolve(container);
    }

    /// Where the termination messages of a container are.
    public Path messages(String container) {
        return path.resolve("containers").resolve(container);
    }

    /// Makes a directory of the pod and those above it, closed to others.
    public Path make(Path directory) throws IOException {
        if (!directory.normalize().startsWith(path)) {
            throw new IOException("%s is not below %s".formatted(directory, path));
        }
        PrivateDirectory.make(path);
        var made = path;
        for (var name : path.relativize(directory)) {
            made = PrivateDirectory.make(made.resolve(name));
        }
        return made;
    }
}
