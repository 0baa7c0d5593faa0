package dev.berth.client;

import dev.berth.model.codec.Kind;

/// Group, version and resource of a kind (Kubernetes' GroupVersionResource), and its URL paths.
///
/// @param group empty for the core group
/// @param plural such as `resourceclaims`
public record ResourcePath(String group, String version, String plural) {

    public static final ResourcePath EVENTS = new ResourcePath("", "v1", "events");
    public static final ResourcePath LEASES =
            new ResourcePath("coordination.k8s.io", "v1", "leases");

    public static ResourcePath of(Kind<?> kind) {
        return new ResourcePath(kind.group(), kind.version(), kind.plural());
    }

    /// The URL path: `/apis/resource.k8s.io/v1/namespaces/x/resourceclaims/y`.
    ///
    /// @param namespace empty for none
    /// @param name empty for the collection
    /// @param subresource empty for none
    public String path(String namespace, String name, String subresource) {
        var path = new StringBuilder(group.isEmpty() ? "/api/" : "/apis/" + group + "/");
        path.append(version);
        if (!namespace.isEmpty()) {
            path.append("/namespaces/").append(namespace);
        }
        path.append('/').append(plural);
        if (!name.isEmpty()) {
            path.append('/').append(name);
        }
        return subresource.isEmpty() ? path.toString() : path + "/" + subresource;
    }
}
