package dev.berth.model.event;

import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.JsonObject;

/// The object that an event is about: `involvedObject` of `core/v1`, `regarding` of
/// `events.k8s.io/v1`.
///
/// @param namespace empty for cluster-scoped objects
/// @param resourceVersion version of the object at the time of the event; empty if unknown
/// @param fieldPath part of the object, such as `spec.containers{main}`; empty for the whole object
public record InvolvedObject(
        String apiVersion,
        String kind,
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        String fieldPath) {

    public static InvolvedObject of(Pod pod) {
        return of("v1", "Pod", pod.metadata());
    }

    public static InvolvedObject of(Node node) {
        return of("v1", "Node", node.metadata());
    }

    public static InvolvedObject of(String apiVersion, String kind, ObjectMeta metadata) {
        return new InvolvedObject(
                apiVersion,
                kind,
                metadata.namespace(),
                metadata.name(),
                metadata.uid().value(),
                metadata.resourceVersion(),
                "");
    }

    /// The object of a tree, which may lack `apiVersion` and `kind`.
    public static InvolvedObject of(String apiVersion, String kind, JsonObject tree) {
        var metadata = tree.objectOrEmpty("metadata");
        return new InvolvedObject(
                apiVersion,
                kind,
                metadata.text("namespace"),
                metadata.text("name"),
                metadata.text("uid"),
                metadata.text("resourceVersion"),
                "");
    }

    /// A container of this pod.
    public InvolvedObject container(String container) {
        return withFieldPath("spec.containers{" + container + "}");
    }

    /// An init container of this pod.
    public InvolvedObject initContainer(String container) {
        return withFieldPath("spec.initContainers{" + container + "}");
    }

    private InvolvedObject withFieldPath(String path) {
        return new InvolvedObject(apiVersion, kind, namespace, name, uid, resourceVersion, path);
    }

    /// This object in any version.
    InvolvedObject anyVersion() {
        return new InvolvedObject(apiVersion, kind, namespace, name, uid, "", fieldPath);
    }

    /// The whole object in any version.
    InvolvedObject whole() {
        return new InvolvedObject(apiVersion, kind, namespace, name, uid, "", "");
    }
}
