package dev.berth.node.volume;

import dev.berth.model.api.meta.Uid;
import dev.berth.model.file.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;

/// Layout of a pod's directory. No container can change any of these directories themselves; the
/// content of `volumes/NAME` belongs to the containers.
///
/// ```
/// volumes/NAME                             an emptyDir
/// published/NAME/volume                    files of a ConfigMap, Secret, ... that containers see
/// published/NAME/staging                   its next content, which no container sees
/// volume-subpaths/VOLUME/CONTAINER/INDEX   subPath mounts
/// containers/NAME/ATTEMPT.message          termination messages
/// ```
///
/// @param path of the pod
public record PodDirectory(Path path) {

    /// @param pods parent of the pods' directories, which are named by UID
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

    /// Directory of the termination messages of a container.
    public Path messages(String container) {
        return path.resolve("containers").resolve(container);
    }

    /// Creates a directory of the pod and its parents, private to root.
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
