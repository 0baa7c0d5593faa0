package dev.berth.server.operation;

import dev.berth.server.registry.ApiError;

/// The path of an object, a collection or a subresource.
///
/// @param namespace empty for none or all
/// @param name empty for the collection
/// @param subresource empty for none
public record ObjectPath(
        String group,
        String version,
        String namespace,
        String plural,
        String name,
        String subresource) {

    /// Rejects a path that cannot be the path of a URL.
    void check() {
        checkSegment(namespace);
        checkSegment(name);
        checkSegment(subresource);
    }

    /// Rejects a text that cannot be one segment of the path of a URL.
    public static void checkSegment(String text) {
        if (text.equals(".") || text.equals("..") || text.contains("/") || text.contains("\0")) {
            throw ApiError.badRequest(
                            "\"%s\" is not a valid path segment"
                                    .formatted(text.replace("\0", "\\0")))
                    .exception();
        }
    }

    /// The namespace for authorization, where a namespace is in itself.
    String authorizedNamespace() {
        return group.isEmpty() && plural.equals("namespaces") ? name : namespace;
    }

    /// True for `bindings`, an alias of the subresource `binding` of pods.
    public boolean isBindings() {
        return group.isEmpty() && version.equals("v1") && plural.equals("bindings");
    }
}
