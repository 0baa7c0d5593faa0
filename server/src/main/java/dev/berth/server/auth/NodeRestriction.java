package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.certificate.CertificateRequest;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.auth.PodReferences.Reference;
import dev.berth.server.registry.StoredObjects;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The NodeRestriction admission plugin: nodes write only their own objects. It checks the content
/// of objects, which [NodeAuthorizer] does not see; both are needed.
public final class NodeRestriction {

    /// The kind of write.
    public enum Operation {
        CREATE,
        UPDATE,
        DELETE
    }

    /// A write request.
    ///
    /// @param resource plural; with its group after a dot, except for the core group
    /// @param subresource empty for the object itself
    /// @param old the stored object: for subresources such as `eviction` or `token` the parent
    /// @param object the object that was sent; empty for deletions
    public record WriteRequest(
            Operation operation,
            String resource,
            String subresource,
            String namespace,
            String name,
            Optional<JsonObject> old,
            Optional<JsonObject> object) {

        JsonObject before() {
            return old.orElse(JsonObject.EMPTY);
        }

        JsonObject after() {
            return object.orElse(JsonObject.EMPTY);
        }

        /// The name in the path, or that of the created object.
        private String anyName() {
            return name.isEmpty() ? after().objectOrEmpty("metadata").text("name") : name;
        }
    }

    private static final String LEASES = "kube-node-lease";
    private static final Set<String> KUBELET_SIGNERS =
            Set.of("kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet");
    private static final List<String> CLAIM_STATUSES =
            List.of(
                    "resourceClaimStatuses",
                    "extendedResourceClaimStatus",
                    "nodeAllocatableResourceClaimStatuses");

    private final StoredObjects objects;
    private final NodeTokenRequests tokens;

    public NodeRestriction(StoredObjects objects, Authorizer authorizer) {
        this.objects = objects;
        this.tokens = new NodeTokenRequests(objects, authorizer);
    }

    /// Why a node may not do that; empty when it may, and for users that are not nodes.
    public Optional<String> problem(User user, WriteRequest write) {
        var node = NodeIdentity.of(user);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get().isEmpty()) {
            return Optional.of("could not determine node from user " + GoText.quote(user.name()));
        }
        return problem(user, node.get(), write);
    }

    private Optional<String> problem(User user, String node, WriteRequest write) {
        return switch (write.resource) {
            case "pods" ->
                    switch (write.subresource) {
                        case "" -> pod(node, write);
                        case "status" -> podStatus(node, write);
                        case "eviction" -> eviction(node, write);
                        default ->
                                Optional.of(
                                        "unexpected pod subresource \"%s\""
                                                .formatted(write.subresource));
                    };
            case "nodes" -> NodeUpdateRestriction.problem(node, write);
            case "persistentvolumeclaims" ->
                    write.subresource.equals("status")
                            ? claimStatus(node, write)
                            : Optional.of("may only update PVC status");
            case "serviceaccounts" ->
                    write.subresource.equals("token") && write.operation == Operation.CREATE
                            ? tokens.problem(user, node, write.namespace, write.name, write.after())
                            : Optional.empty();
            case "leases.coordination.k8s.io" -> lease(node, write);
            case "csinodes.storage.k8s.io" ->
                    require(
                            write.anyName().equals(node),
                            "can only access CSINode with the same name as the requesting node");
            case "resourceslices.resource.k8s.io" -> slice(node, write);
            case "certificatesigningrequests.certificates.k8s.io" ->
                    write.operation == Operation.CREATE
                            ? signingRequest(user, write.after())
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    private Optional<String> pod(String node, WriteRequest write) {
        return switch (write.operation) {
            case CREATE -> mirrorPod(node, write.after());
            case DELETE ->
                    require(
                            isOn(node, write.before()),
                            "node %s can only delete pods with spec.nodeName set to itself"
                                    .formatted(GoText.quote(node)));
            case UPDATE ->
                    Optional.of(
                            ("unexpected operation \"UPDATE\", node %s can only create and delete"
                                            + " mirror pods")
                                    .formatted(GoText.quote(node)));
        };
    }

    private Optional<String> mirrorPod(String node, JsonObject pod) {
        var name = GoText.quote(node);
        if (!PodReferences.isMirror(pod)) {
            return Optional.of(
                    "pod does not have \"%s\" annotation, node %s can only create mirror pods"
                            .formatted(PodReferences.MIRROR, name));
        }
        if (!isOn(node, pod)) {
            return Optional.of(
                    "node %s can only create pods with spec.nodeName set to itself"
                            .formatted(name));
        }
        return owner(node, pod.objectOrEmpty("metadata").objects("ownerReferences"))
                .or(() -> references(node, pod));
    }

    private Optional<String> owner(String node, List<JsonObject> owners) {
        var canOnly = "node " + GoText.quote(node) + " can only create pods with ";
        if (owners.size() > 1) {
            return Optional.of(canOnly + "a single owner reference set to itself");
        }
        if (owners.isEmpty()
                || !owners.getFirst().text("apiVersion").equals("v1")
                || !owners.getFirst().text("kind").equals("Node")
                || !owners.getFirst().text("name").equals(node)) {
            return Optional.of(canOnly + "an owner reference set to itself");
        }
        var owner = owners.getFirst();
        if (!owner.flag("controller").orElse(false)) {
            return Optional.of(canOnly + "a controller owner reference set to itself");
        }
        if (owner.flag("blockOwnerDeletion").orElse(false)) {
            return Optional.of(
                    "node %s must not set blockOwnerDeletion on an owner reference"
                            .formatted(GoText.quote(node)));
        }
        var uid =
                objects.get("nodes", "", node)
                        .map(one -> one.objectOrEmpty("metadata").text("uid"));
        if (uid.isEmpty()) {
            return Optional.of("node \"%s\" not found".formatted(node));
        }
        return require(
                uid.get().equals(owner.text("uid")),
                "node %s UID mismatch: expected %s got %s"
                        .formatted(node, owner.text("uid"), uid.get()));
    }

    /// A pod created by a node must not give it access to objects that it could not read before.
    private static Optional<String> references(String node, JsonObject pod) {
        var kinds = new TreeSet<String>();
        PodReferences.of(pod).stream().map(Reference::kind).forEach(kinds::add);
        var spec = pod.objectOrEmpty("spec");
        if (!spec.items("resourceClaims").isEmpty()) {
            kinds.add(PodReferences.RESOURCE_CLAIMS);
        }
        for (var volume : spec.objects("volumes")) {
            for (var source : volume.objectOrEmpty("projected").objects("sources")) {
                if (source.has("clusterTrustBundle")) {
                    kinds.add("clustertrustbundles");
                }
            }
        }
        var start = "node " + GoText.quote(node) + " can not create pods that reference ";
        if (kinds.contains(PodReferences.ACCOUNTS)) {
            return Optional.of(start + "a service account");
        }
        return kinds.isEmpty() ? Optional.empty() : Optional.of(start + firstOf(kinds));
    }

    private static String firstOf(Set<String> kinds) {
        return kinds.contains(PodReferences.SECRETS)
                ? PodReferences.SECRETS
                : kinds.iterator().next();
    }

    private static Optional<String> podStatus(String node, WriteRequest write) {
        var name = GoText.quote(node);
        if (write.operation != Operation.UPDATE) {
            return Optional.of("unexpected operation \"" + write.operation + "\"");
        }
        if (!isOn(node, write.before())) {
            return Optional.of(
                    ("node %s can only update pod status for pods with spec.nodeName set to"
                                    + " itself")
                            .formatted(name));
        }
        if (!labels(write.before()).equals(labels(write.after()))) {
            return Optional.of("node %s cannot update labels through pod status".formatted(name));
        }
        var before = write.before().objectOrEmpty("status");
        var after = write.after().objectOrEmpty("status");
        for (var field : CLAIM_STATUSES) {
            if (!sameOrBothEmpty(before, after, field)) {
                return Optional.of("node %s cannot update status.%s".formatted(name, field));
            }
        }
        return Optional.empty();
    }

    private static boolean sameOrBothEmpty(JsonObject before, JsonObject after, String field) {
        return before.member(field).equals(after.member(field))
                || (before.items(field).isEmpty()
                        && after.items(field).isEmpty()
                        && before.objectOrEmpty(field).isEmpty()
                        && after.objectOrEmpty(field).isEmpty());
    }

    private Optional<String> eviction(String node, WriteRequest write) {
        if (write.operation != Operation.CREATE) {
            return Optional.of("unexpected operation " + write.operation);
        }
        var pod = objects.get("pods", write.namespace, write.anyName());
        return pod.isEmpty()
                ? Optional.of("pods \"%s\" not found".formatted(write.anyName()))
                : require(
                        isOn(node, pod.get()),
                        "node %s can only evict pods with spec.nodeName set to itself"
                                .formatted(node));
    }

    private static Optional<String> claimStatus(String node, WriteRequest write) {
        return require(
                withoutResizeFields(write.before()).equals(withoutResizeFields(write.after())),
                ("node %s is not allowed to update fields other than status.capacity and"
                                + " status.conditions")
                        .formatted(GoText.quote(node)));
    }

    private static JsonObject withoutResizeFields(JsonObject claim) {
        var status = claim.objectOrEmpty("status");
        for (var field :
                List.of(
                        "capacity",
                        "conditions",
                        "allocatedResources",
                        "allocatedResourceStatuses")) {
            status = status.without(field);
        }
        var metadata =
                claim.objectOrEmpty("metadata").without("resourceVersion").without("managedFields");
        return claim.with("status", status).with("metadata", metadata);
    }

    private static Optional<String> lease(String node, WriteRequest write) {
        if (!write.namespace.equals(LEASES)) {
            return Optional.of("can only access leases in the \"" + LEASES + "\" system namespace");
        }
        return require(
                write.anyName().equals(node),
                "can only access node lease with the same name as the requesting node");
    }

    private static Optional<String> slice(String node, WriteRequest write) {
        return switch (write.operation) {
            case CREATE ->
                    require(
                            isOn(node, write.after()),
                            "can only create ResourceSlice with the same NodeName as the"
                                    + " requesting node");
            case DELETE ->
                    require(
                            isOn(node, write.before()),
                            "can only delete ResourceSlice with the same NodeName as the"
                                    + " requesting node");
            // The authorizer has checked the node of the stored slice, which is immutable.
            case UPDATE -> Optional.empty();
        };
    }

    /// A node may request certificates for its own identity only.
    private static Optional<String> signingRequest(User user, JsonObject request) {
        var spec = request.objectOrEmpty("spec");
        if (!KUBELET_SIGNERS.contains(spec.text("signerName"))) {
            return Optional.empty();
        }
        try {
            var pem = Base64.getDecoder().decode(spec.text("request"));
            var name =
                    CertificateRequest.parse(new String(pem, StandardCharsets.ISO_8859_1))
                            .commonName();
            return require(
                    !name.startsWith(NodeIdentity.PREFIX) || name.equals(user.name()),
                    "can only create a node CSR with CN=" + user.name());
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.of("unable to parse csr: " + e.getMessage());
        }
    }

    private static boolean isOn(String node, JsonObject object) {
        return object.objectOrEmpty("spec").text("nodeName").equals(node);
    }

    static JsonObject labels(JsonObject object) {
        return object.objectOrEmpty("metadata").objectOrEmpty("labels");
    }

    static Optional<String> require(boolean holds, String otherwise) {
        return holds ? Optional.empty() : Optional.of(otherwise);
    }
}
