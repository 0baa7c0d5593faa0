package dev.berth.server.auth;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.auth.PodReferences.Reference;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The node authorizer: a node may do what it needs to run the pods that are bound to it, and no
/// more. A stolen node identity then gives access to the secrets of its own pods only.
public final class NodeAuthorizer implements Authorizer {

    private static final AuthorizationDecision ALLOWED = AuthorizationDecision.allowed("");
    private static final String LEASES = "kube-node-lease";
    private static final Set<String> READ_VERBS = Set.of("get", "list", "watch");
    private static final Set<String> UPDATE_VERBS = Set.of("update", "patch");
    private static final Set<String> OWN_OBJECT_VERBS =
            Set.of("get", "create", "update", "patch", "delete");

    private final Store store;
    private final NodePodReferences pods;
    private final List<PolicyRule> rules;

    public NodeAuthorizer(Store store) {
        this.store = store;
        this.pods = new NodePodReferences(store);
        this.rules = DefaultRoles.rules("system:node");
    }

    @Override
    public AuthorizationDecision decide(AuthorizationRequest request) {
        var node = NodeIdentity.of(request.user());
        if (node.isEmpty()) {
            return noOpinion("");
        }
        if (node.get().isEmpty()) {
            return noOpinion("unknown node for user \"" + request.user().name() + "\"");
        }
        return switch (request) {
            case AuthorizationRequest.ResourceAttributes attributes ->
                    decide(node.get(), attributes);
            case AuthorizationRequest.NonResourceAttributes _ -> byRules(request);
        };
    }

    private AuthorizationDecision decide(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        var kind =
                attributes.group().isEmpty()
                        ? attributes.resource()
                        : attributes.resource() + "." + attributes.group();
        return switch (kind) {
            case "secrets", "configmaps" -> readNamespaced(node, attributes);
            case "persistentvolumeclaims" ->
                    attributes.subresource().equals("status")
                            ? claimStatus(node, attributes)
                            : get(node, attributes);
            case "persistentvolumes",
                    "resourceclaims.resource.k8s.io",
                    "volumeattachments.storage.k8s.io" ->
                    get(node, attributes);
            case "serviceaccounts" -> token(node, attributes);
            case "leases.coordination.k8s.io" -> lease(node, attributes);
            case "csinodes.storage.k8s.io" -> csiNode(node, attributes);
            case "resourceslices.resource.k8s.io" -> slice(node, attributes);
            case "nodes" -> node(node, attributes);
            case "pods" -> pod(node, attributes);
            default -> byRules(attributes);
        };
    }

    private AuthorizationDecision byRules(AuthorizationRequest request) {
        for (var rule : rules) {
            if (rule.allows(request)) {
                return ALLOWED;
            }
        }
        return noOpinion("");
    }

    private AuthorizationDecision readNamespaced(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        if (!READ_VERBS.contains(attributes.verb())) {
            return noOpinion("can only read resources of this type");
        }
        if (!attributes.subresource().isEmpty()) {
            return noOpinion("cannot read subresource");
        }
        if (attributes.namespace().isEmpty()) {
            return noOpinion("can only read namespaced object of this type");
        }
        return related(node, attributes);
    }

    private AuthorizationDecision claimStatus(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        return UPDATE_VERBS.contains(attributes.verb())
                ? related(node, attributes)
                : noOpinion("can only get/update/patch this type");
    }

    private AuthorizationDecision get(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        if (!attributes.verb().equals("get")) {
            return noOpinion("can only get individual resources of this type");
        }
        return attributes.subresource().isEmpty()
                ? related(node, attributes)
                : noOpinion("cannot get subresource");
    }

    private AuthorizationDecision token(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        if (!attributes.verb().equals("create") || attributes.name().isEmpty()) {
            return noOpinion("can only create tokens for individual service accounts");
        }
        return attributes.subresource().equals("token")
                ? related(node, attributes)
                : noOpinion("can only create token subresource of serviceaccount");
    }

    private static AuthorizationDecision lease(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        if (!OWN_OBJECT_VERBS.contains(attributes.verb())) {
            return noOpinion("can only get, create, update, patch, or delete a node lease");
        }
        if (!attributes.namespace().equals(LEASES)) {
            return noOpinion("can only access leases in the \"" + LEASES + "\" system namespace");
        }
        return isOwnOrNew(node, attributes)
                ? ALLOWED
                : noOpinion("can only access node lease with the same name as the requesting node");
    }

    private static AuthorizationDecision csiNode(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        if (!OWN_OBJECT_VERBS.contains(attributes.verb())) {
            return noOpinion("can only get, create, update, patch, or delete a CSINode");
        }
        if (!attributes.subresource().isEmpty()) {
            return noOpinion("cannot authorize CSINode subresources");
        }
        return isOwnOrNew(node, attributes)
                ? ALLOWED
                : noOpinion("can only access CSINode with the same name as the requesting node");
    }

    /// The name of a created object is not known here; [NodeRestriction] checks it.
    private static boolean isOwnOrNew(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        return attributes.verb().equals("create") || attributes.name().equals(node);
    }

    private AuthorizationDecision slice(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        if (!attributes.subresource().isEmpty()) {
            return noOpinion("cannot authorize ResourceSlice subresources");
        }
        return switch (attributes.verb()) {
            case "create" -> ALLOWED;
            case "get", "update", "patch", "delete" -> related(node, attributes);
            case "list", "watch", "deletecollection" ->
                    FieldSelectorRequirements.require(
                                    attributes.fieldSelector(), "spec.nodeName", node)
                            ? ALLOWED
                            : noOpinion(
                                    "can only list/watch/deletecollection resourceslices with"
                                            + " nodeName field selector");
            default ->
                    noOpinion(
                            "only the following verbs are allowed for a ResourceSlice: get, watch,"
                                    + " list, create, update, patch, delete, deletecollection");
        };
    }

    private static AuthorizationDecision node(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        var verb = attributes.verb();
        if (attributes.subresource().equals("status")) {
            return UPDATE_VERBS.contains(verb) ? ALLOWED : noOpinion("");
        }
        if (!attributes.subresource().isEmpty()) {
            return noOpinion("");
        }
        if (verb.equals("create") || UPDATE_VERBS.contains(verb)) {
            return ALLOWED;
        }
        if (!READ_VERBS.contains(verb)) {
            return noOpinion("");
        }
        var name = name(attributes);
        if (name.equals(node)) {
            return ALLOWED;
        }
        return noOpinion(
                name.isEmpty()
                        ? "node '%s' cannot read all nodes, only its own Node object"
                                .formatted(node)
                        : "node '%s' cannot read '%s', only its own Node object"
                                .formatted(node, name));
    }

    private AuthorizationDecision pod(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        return switch (attributes.subresource()) {
            case "" -> plainPod(node, attributes);
            case "status" -> UPDATE_VERBS.contains(attributes.verb()) ? ALLOWED : noOpinion("");
            case "eviction" -> attributes.verb().equals("create") ? ALLOWED : noOpinion("");
            default -> noOpinion("");
        };
    }

    private AuthorizationDecision plainPod(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        return switch (attributes.verb()) {
            case "create", "delete" -> ALLOWED;
            case "get" -> related(node, attributes);
            case "list", "watch" -> {
                if (FieldSelectorRequirements.require(
                        attributes.fieldSelector(), "spec.nodeName", node)) {
                    yield ALLOWED;
                }
                yield name(attributes).isEmpty()
                        ? noOpinion("can only list/watch pods with spec.nodeName field selector")
                        : related(node, attributes);
            }
            default -> noOpinion("");
        };
    }

    private AuthorizationDecision related(
            String node, AuthorizationRequest.ResourceAttributes attributes) {
        var name = name(attributes);
        if (name.isEmpty()) {
            return noOpinion("No Object name found");
        }
        return isRelated(node, attributes, name)
                ? ALLOWED
                : noOpinion(
                        "no relationship found between node '%s' and this object".formatted(node));
    }

    /// The name of the requested object; for a list or watch, that of its field selector.
    private static String name(AuthorizationRequest.ResourceAttributes attributes) {
        return attributes.name().isEmpty()
                ? FieldSelectorRequirements.value(attributes.fieldSelector(), "metadata.name")
                        .orElse("")
                : attributes.name();
    }

    private boolean isRelated(
            String node, AuthorizationRequest.ResourceAttributes attributes, String name) {
        return switch (attributes.resource()) {
            case "pods" -> nodeOf("pods", attributes.namespace(), name).equals(Optional.of(node));
            case "resourceslices" ->
                    nodeOf("resource.k8s.io/resourceslices", "", name).equals(Optional.of(node));
            case "volumeattachments" ->
                    nodeOf("storage.k8s.io/volumeattachments", "", name).equals(Optional.of(node));
            case "persistentvolumes" -> volume(name).map(one -> uses(node, one)).orElse(false);
            case "secrets" ->
                    pods.refer(node, new Reference("secrets", attributes.namespace(), name))
                            || isSecretOfVolume(node, attributes.namespace(), name);
            default ->
                    pods.refer(
                            node,
                            new Reference(attributes.resource(), attributes.namespace(), name));
        };
    }

    private Optional<String> nodeOf(String collection, String namespace, String name) {
        return object(collection, namespace, name)
                .flatMap(one -> one.objectOrEmpty("spec").string("nodeName"));
    }

    private Optional<JsonObject> volume(String name) {
        return object("persistentvolumes", "", name);
    }

    private boolean uses(String node, JsonObject volume) {
        var claim = volume.objectOrEmpty("spec").objectOrEmpty("claimRef");
        return pods.refer(
                node,
                new Reference(
                        PodReferences.VOLUME_CLAIMS, claim.text("namespace"), claim.text("name")));
    }

    /// True for secrets that are used to mount volumes of the node's pods.
    private boolean isSecretOfVolume(String node, String namespace, String name) {
        var secret = new Reference(PodReferences.SECRETS, namespace, name);
        for (var claim : pods.references(node, PodReferences.VOLUME_CLAIMS)) {
            var volume =
                    object("persistentvolumeclaims", claim.namespace(), claim.name())
                            .map(one -> one.objectOrEmpty("spec").text("volumeName"))
                            .flatMap(this::volume);
            if (volume.isPresent()
                    && uses(node, volume.get())
                    && PodReferences.secretsOfVolume(
                                    volume.get().objectOrEmpty("spec"), claim.namespace())
                            .contains(secret)) {
                return true;
            }
        }
        return false;
    }

    private Optional<JsonObject> object(String collection, String namespace, String name) {
        return store.get(new ObjectKey(collection, namespace, name)).map(StoredObjects::tree);
    }

    private static AuthorizationDecision noOpinion(String reason) {
        return AuthorizationDecision.noOpinion(reason);
    }
}
