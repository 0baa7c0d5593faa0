package dev.berth.server.kinds.custom;

import java.util.Set;

/// API groups of Kubernetes itself. A CustomResourceDefinition can neither replace a kind of theirs
/// nor add one, whether or not this server serves the group: a definition of
/// `rolebindings.rbac.authorization.k8s.io` would take over authorization, and one of a group that
/// a later release serves would leave it objects that were never validated.
final class BuiltInGroups {

    /// The groups of Kubernetes 1.37 with a dot; groups of definitions always have one.
    private static final Set<String> NAMES =
            Set.of(
                    "admissionregistration.k8s.io",
                    "apidiscovery.k8s.io",
                    "apiextensions.k8s.io",
                    "apiregistration.k8s.io",
                    "authentication.k8s.io",
                    "authorization.k8s.io",
                    "certificates.k8s.io",
                    "coordination.k8s.io",
                    "discovery.k8s.io",
                    "events.k8s.io",
                    "flowcontrol.apiserver.k8s.io",
                    "internal.apiserver.k8s.io",
                    "lifecycle.k8s.io",
                    "meta.k8s.io",
                    "networking.k8s.io",
                    "node.k8s.io",
                    "rbac.authorization.k8s.io",
                    "resource.k8s.io",
                    "scheduling.k8s.io",
                    "storage.k8s.io",
                    "storagemigration.k8s.io");

    private BuiltInGroups() {}

    static boolean contains(String group) {
        return !group.contains(".") || NAMES.contains(group);
    }
}
