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

/// Keeps nodes from writing what is not theirs. It sees the objects, which [NodeAuthorizer] does
/// not; both are needed.
public final class NodeRestriction {

    /// What is done to the object.
    public enum Operation {
        CREATE,
        UPDATE,
        DELETE
    }

    /// A write of somebody.
    ///
    /// @param resource plural; with its group behind a dot, except for the core
    /// @param subresource empty for the object itself
    /// @param old what is stored: for subresources such as `eviction` or `token` the parent
    /// @param object what was sent; empty for deletions
    public record Attempt(
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

        /// The name in the address, or that of the object to be made.
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

    /// Says why a node may not do that; empty when it may, and for users who are no nodes.
    public Optional<String> problem(User user, Attempt attempt) {
        var node = NodeIdentity.of(user);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get().isEmpty()) {
            return Optional.of("could not determine node from user " + GoText.quote(user.name()));
        }
        return problem(user, node.get(), attempt);
    }

    private Optional<String> problem(User user, String node, Attempt attempt) {
        return switch (attempt.resource) {
            case "pods" ->
                    switch (attempt.subresource) {
                        case "" -> pod(node, attempt);
                        case "status" -> podStatus(node, attempt);
                        case "eviction" -> eviction(node, attempt);
                        default ->
                                Optional.of(
                                        "unexpected pod subresource \"%s\""
                                                .formatted(attempt.subresource));
                    };
            case "nodes" -> NodeUpdateRestriction.problem(node, attempt);
            case "persistentvolumeclaims" ->
                    attempt.subresource.equals("status")
                            ? claimStatus(node, attempt)
                            : Optional.of("may only update PVC status");
            case "serviceaccounts" ->
                    attempt.subresource.equals("token") && attempt.operation == Operation.CREATE
                            ? tokens.problem(
                                    user, node, attempt.namespace, attempt.name, attempt.after())
                            : Optional.empty();
            case "leases.coordination.k8s.io" -> lease(node, attempt);
            case "csinodes.storage.k8s.io" ->
                    must(
                            attempt.anyName().equals(node),
                            "can only access CSINode with the same name as the requesting node");
            case "resourceslices.resource.k8s.io" -> slice(node, attempt);
            case "certificatesigningrequests.certificates.k8s.io" ->
                    attempt.operation == Operation.CREATE
                            ? signingRequest(user, attempt.after())
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    private Optional<String> pod(String node, Attempt attempt) {
        return switch (attempt.operation) {
            case CREATE -> mirrorPod(node, attempt.after());
            case DELETE ->
                    must(
                            isOn(node, attempt.before()),
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
        return must(
                uid.get().equals(owner.text("uid")),
                "node %s UID mismatch: expected %s got %s"
                        .formatted(node, owner.text("uid"), uid.get()));
    }

    /// A pod that a node makes must not open to it what it could not read before.
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

    private static Optional<String> podStatus(String node, Attempt attempt) {
        var name = GoText.quote(node);
        if (attempt.operation != Operation.UPDATE) {
            return Optional.of("unexpected operation \"" + attempt.operation + "\"");
        }
        if (!isOn(node, attempt.before())) {
            return Optional.of(
                    ("node %s can only update pod status for pods with spec.nodeName set to"
                                    + " itself")
                            .formatted(name));
        }
        if (!labels(attempt.before()).equals(labels(attempt.after()))) {
            return Optional.of("node %s cannot update labels through pod status".formatted(name));
        }
        var before = attempt.before().objectOrEmpty("status");
        var after = attempt.after().objectOrEmpty("status");
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

    private Optional<String> eviction(String node, Attempt attempt) {
        if (attempt.operation != Operation.CREATE) {
            return Optional.of("unexpected operation " + attempt.operation);
        }
        var pod = objects.get("pods", attempt.namespace, attempt.anyName());
        return pod.isEmpty()
                ? Optional.of("pods \"%s\" not found".formatted(attempt.anyName()))
                : must(
                        isOn(node, pod.get()),
                        "node %s can only evict pods with spec.nodeName set to itself"
                                .formatted(node));
    }

    private static Optional<String> claimStatus(String node, Attempt attempt) {
        return must(
                withoutSizes(attempt.before()).equals(withoutSizes(attempt.after())),
                ("node %s is not allowed to update fields other than status.capacity and"
                                + " status.conditions")
                        .formatted(GoText.quote(node)));
    }

    private static JsonObject withoutSizes(JsonObject claim) {
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

    private static Optional<String> lease(String node, Attempt attempt) {
        if (!attempt.namespace.equals(LEASES)) {
            return Optional.of("can only access leases in the \"" + LEASES + "\" system namespace");
        }
        return must(
                attempt.anyName().equals(node),
                "can only access node lease with the same name as the requesting node");
    }

    private static Optional<String> slice(String node, Attempt attempt) {
        return switch (attempt.operation) {
            case CREATE ->
                    must(
                            isOn(node, attempt.after()),
                            "can only create ResourceSlice with the same NodeName as the"
                                    + " requesting node");
            case DELETE ->
                    must(
                            isOn(node, attempt.before()),
                            "can only delete ResourceSlice with the same NodeName as the"
                                    + " requesting node");
            // The authorizer has looked at the node of the stored slice, which cannot change.
            case UPDATE -> Optional.empty();
        };
    }

    /// A node asks for certificates of its own identity only.
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
            return must(
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

    static Optional<String> must(boolean holds, String otherwise) {
        return holds ? Optional.empty() : Optional.of(otherwise);
    }
}
