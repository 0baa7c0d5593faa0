package dev.berth.core.explain.finding;

import dev.berth.model.api.meta.ObjectRef;

/// A field of an object that has to change before a pod can be scheduled.
///
/// @param object namespace and name; the namespace is empty for cluster-scoped objects
/// @param field short name of the field for sentences, `request gpu, selectors[0]`; may be empty
/// @param path path of the field in the API, `spec.devices.requests[gpu].exactly.count`, with list
///   entries by name or index
public record ObjectField(String kind, ObjectRef object, String field, String path) {

    /// A field that is written the same in sentences and in the API.
    public static ObjectField of(String kind, ObjectRef object, String path) {
        return new ObjectField(kind, object, path, path);
    }

    public static ObjectField ofNode(String node, String path) {
        return of("Node", new ObjectRef("", node), path);
    }

    /// `ResourceClaim train, request gpu, count`.
    public String text() {
        return kind + " " + object.name() + (field.isEmpty() ? "" : ", " + field);
    }
}
