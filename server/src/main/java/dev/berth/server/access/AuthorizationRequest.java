package dev.berth.server.access;

/// The attributes of a request that authorizers decide on.
public sealed interface AuthorizationRequest {

    User user();

    String verb();

    /// A request for objects.
    ///
    /// @param group empty for the core group
    /// @param namespace empty for all namespaces or cluster-scoped objects
    /// @param name empty for collections
    /// @param fieldSelector as sent by the client; empty for none
    record ResourceAttributes(
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

        public static ResourceAttributes of(
                User user, String verb, String group, String resource, String namespace) {
            return new ResourceAttributes(
                    user, verb, group, "", resource, "", namespace, "", "", "");
        }

        public ResourceAttributes named(String newName) {
            return changed(subresource, newName);
        }

        public ResourceAttributes sub(String newSubresource) {
            return changed(newSubresource, name);
        }

        private ResourceAttributes changed(String newSubresource, String newName) {
            return new ResourceAttributes(
                    user,
                    verb,
                    group,
                    version,
                    resource,
                    newSubresource,
                    namespace,
                    newName,
                    fieldSelector,
                    labelSelector);
        }
    }

    /// A request for a path without resources, such as `/healthz`.
    record NonResourceAttributes(User user, String verb, String path)
            implements AuthorizationRequest {}
}
