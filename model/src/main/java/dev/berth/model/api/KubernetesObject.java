package dev.berth.model.api;

/// Any object that the API stores.
public interface KubernetesObject {

    ObjectMeta metadata();

    default ObjectRef ref() {
        return metadata().ref();
    }
}
