package dev.berth.server.access;

/// What somebody wants to do.
public sealed interface AuthorizationRequest {

    User user();

    String verb();

    /// Something with objects.
    ///
    /// @param group empty for the core
    /// @param namespace empty for all namespaces or objects of the whole cluster
    /// @param name empty when it is about more than one object
    /// @param fieldSelector as it was sent; empty for none
    record ToResource(
            User user,
            String verb,
            String group,
            String version,
            String resource,
            String subresource,
            String namespace,
            String name,
            String fieldSelector,
            String labelSelector)
            implements AuthorizationRequest {

        public static ToResource of(
                User user, String verb, String group, String resource, String namespace) {
            return new ToResource(user, verb, group, "", resource, "", namespace, "", "", "");
        }

        public ToResource named(String newName) {
            return new ToResource(
                    user,
                    verb,
                    group,
                    version,
                    resource,
                    subresource,
                    namespace,
                    newName,
                    fieldSelector,
                    labelSelector);
        }

        public ToResource sub(String newSubresource) {
            return new ToResource(
                    user,
                    verb,
                    group,
                    version,
                    resource,
                    newSubresource,
                    namespace,
                    name,
                    fieldSelector,
                    labelSelector);
        }
    }

    /// Something with an address that is no object, such as `/healthz`.
    record ToPath(User user, String verb, String path) implements AuthorizationRequest {}
}
