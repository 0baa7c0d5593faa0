package dev.berth.model.api.meta;

/// An API object with metadata.
public interface KubernetesObject {

    ObjectMeta metadata();

    default ObjectRef ref() {
        return metadata().ref();
    }
}
