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

/// Decides about nodes: each may do what it needs to run the pods that are bound to it, and no
/// more. A stolen node is then worth its own pods' secrets only.
public final class NodeAuthorizer implements Authorizer {

    private static final AuthorizationDecision ALLOWED = AuthorizationDecision.allowed("");
    private static final String LEASES = "kube-node-lease";
    private static final Set<String> READING = Set.of("get", "list", "watch");
    private static final Set<String> CHANGING = Set.of("update", "patch");
    private static final Set<String> OF_ITS_OWN =
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
    public AuthorizationDecision decide(AuthorizationRequest access) {
        var node = NodeIdentity.of(access.user());
        if (node.isEmpty()) {
            return no("");
        }
        if (node.get().isEmpty()) {
            return no("unknown node for user \"" + access.user().name() + "\"");
        }
        return switch (access) {
            case AuthorizationRequest.ToResource to -> decide(node.get(), to);
            case AuthorizationRequest.ToPath _ -> byRules(access);
        };
    }

    private AuthorizationDecision decide(String node, AuthorizationRequest.ToResource to) {
        var kind = to.group().isEmpty() ? to.resource() : to.resource() + "." + to.group();
        return switch (kind) {
            case "secrets", "configmaps" -> readNamespaced(node, to);
            case "persistentvolumeclaims" ->
                    to.subresource().equals("status") ? claimStatus(node, to) : get(node, to);
            case "persistentvolumes",
                    "resourceclaims.resource.k8s.io",
                    "volumeattachments.storage.k8s.io" ->
                    get(node, to);
            case "serviceaccounts" -> token(node, to);
            case "leases.coordination.k8s.io" -> lease(node, to);
            case "csinodes.storage.k8s.io" -> csiNode(node, to);
            case "resourceslices.resource.k8s.io" -> slice(node, to);
            case "nodes" -> node(node, to);
            case "pods" -> pod(node, to);
            default -> byRules(to);
        };
    }

    private AuthorizationDecision byRules(AuthorizationRequest access) {
        for (var rule : rules) {
            if (rule.allows(access)) {
                return ALLOWED;
            }
        }
        return no("");
    }

    private AuthorizationDecision readNamespaced(String node, AuthorizationRequest.ToResource to) {
        if (!READING.contains(to.verb())) {
            return no("can only read resources of this type");
        }
        if (!to.subresource().isEmpty()) {
            return no("cannot read subresource");
        }
        if (to.namespace().isEmpty()) {
            return no("can only read namespaced object of this type");
        }
        return related(node, to);
    }

    private AuthorizationDecision claimStatus(String node, AuthorizationRequest.ToResource to) {
        return CHANGING.contains(to.verb())
                ? related(node, to)
                : no("can only get/update/patch this type");
    }

    private AuthorizationDecision get(String node, AuthorizationRequest.ToResource to) {
        if (!to.verb().equals("get")) {
            return no("can only get individual resources of this type");
        }
        return to.subresource().isEmpty() ? related(node, to) : no("cannot get subresource");
    }

    private AuthorizationDecision token(String node, AuthorizationRequest.ToResource to) {
        if (!to.verb().equals("create") || to.name().isEmpty()) {
            return no("can only create tokens for individual service accounts");
        }
        return to.subresource().equals("token")
                ? related(node, to)
                : no("can only create token subresource of serviceaccount");
    }

    private static AuthorizationDecision lease(String node, AuthorizationRequest.ToResource to) {
        if (!OF_ITS_OWN.contains(to.verb())) {
            return no("can only get, create, update, patch, or delete a node lease");
        }
        if (!to.namespace().equals(LEASES)) {
            return no("can only access leases in the \"" + LEASES + "\" system namespace");
        }
        return isOwnOrNew(node, to)
                ? ALLOWED
                : no("can only access node lease with the same name as the requesting node");
    }

    private static AuthorizationDecision csiNode(String node, AuthorizationRequest.ToResource to) {
        if (!OF_ITS_OWN.contains(to.verb())) {
            return no("can only get, create, update, patch, or delete a CSINode");
        }
        if (!to.subresource().isEmpty()) {
            return no("cannot authorize CSINode subresources");
        }
        return isOwnOrNew(node, to)
                ? ALLOWED
                : no("can only access CSINode with the same name as the requesting node");
    }

    /// The name of something new is not known here; [NodeRestriction] sees to it.
    private static boolean isOwnOrNew(String node, AuthorizationRequest.ToResource to) {
        return to.verb().equals("create") || to.name().equals(node);
    }

    private AuthorizationDecision slice(String node, AuthorizationRequest.ToResource to) {
        if (!to.subresource().isEmpty()) {
            return no("cannot authorize ResourceSlice subresources");
        }
        return switch (to.verb()) {
            case "create" -> ALLOWED;
            case "get", "update", "patch", "delete" -> related(node, to);
            case "list", "watch", "deletecollection" ->
                    FieldSelectorRequirements.require(to.fieldSelector(), "spec.nodeName", node)
                            ? ALLOWED
                            : no(
                                    "can only list/watch/deletecollection resourceslices with"
                                            + " nodeName field selector");
            default ->
                    no(
                            "only the following verbs are allowed for a ResourceSlice: get, watch,"
                                    + " list, create, update, patch, delete, deletecollection");
        };
    }

    private static AuthorizationDecision node(String node, AuthorizationRequest.ToResource to) {
        var verb = to.verb();
        if (to.subresource().equals("status")) {
            return CHANGING.contains(verb) ? ALLOWED : no("");
        }
        if (!to.subresource().isEmpty()) {
            return no("");
        }
        if (verb.equals("create") || CHANGING.contains(verb)) {
            return ALLOWED;
        }
        if (!READING.contains(verb)) {
            return no("");
        }
        var name = name(to);
        if (name.equals(node)) {
            return ALLOWED;
        }
        return no(
                name.isEmpty()
                        ? "node '%s' cannot read all nodes, only its own Node object"
                                .formatted(node)
                        : "node '%s' cannot read '%s', only its own Node object"
                                .formatted(node, name));
    }

    private AuthorizationDecision pod(String node, AuthorizationRequest.ToResource to) {
        return switch (to.subresource()) {
            case "" -> plainPod(node, to);
            case "status" -> CHANGING.contains(to.verb()) ? ALLOWED : no("");
            case "eviction" -> to.verb().equals("create") ? ALLOWED : no("");
            default -> no("");
        };
    }

    private AuthorizationDecision plainPod(String node, AuthorizationRequest.ToResource to) {
        return switch (to.verb()) {
            case "create", "delete" -> ALLOWED;
            case "get" -> related(node, to);
            case "list", "watch" -> {
                if (FieldSelectorRequirements.require(to.fieldSelector(), "spec.nodeName", node)) {
                    yield ALLOWED;
                }
                yield name(to).isEmpty()
                        ? no("can only list/watch pods with spec.nodeName field selector")
                        : related(node, to);
            }
            default -> no("");
        };
    }

    private AuthorizationDecision related(String node, AuthorizationRequest.ToResource to) {
        var name = name(to);
        if (name.isEmpty()) {
            return no("No Object name found");
        }
        return isRelated(node, to, name)
                ? ALLOWED
                : no("no relationship found between node '%s' and this object".formatted(node));
    }

    /// The name of the one object it is about, which a list may say in its selector.
    private static String name(AuthorizationRequest.ToResource to) {
        return to.name().isEmpty()
                ? FieldSelectorRequirements.value(to.fieldSelector(), "metadata.name").orElse("")
                : to.name();
    }

    private boolean isRelated(String node, AuthorizationRequest.ToResource to, String name) {
        return switch (to.resource()) {
            case "pods" -> nodeOf("pods", to.namespace(), name).equals(Optional.of(node));
            case "resourceslices" ->
                    nodeOf("resource.k8s.io/resourceslices", "", name).equals(Optional.of(node));
            case "volumeattachments" ->
                    nodeOf("storage.k8s.io/volumeattachments", "", name).equals(Optional.of(node));
            case "persistentvolumes" -> volume(name).map(one -> uses(node, one)).orElse(false);
            case "secrets" ->
                    pods.refer(node, new Reference("secrets", to.namespace(), name))
                            || isSecretOfVolume(node, to.namespace(), name);
            default -> pods.refer(node, new Reference(to.resource(), to.namespace(), name));
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

    /// True for secrets by which volumes of the node's pods are mounted.
    private boolean isSecretOfVolume(String node, String namespace, String name) {
        var wanted = new Reference(PodReferences.SECRETS, namespace, name);
        for (var claim : pods.references(node, PodReferences.VOLUME_CLAIMS)) {
            var volume =
                    object("persistentvolumeclaims", claim.namespace(), claim.name())
                            .map(one -> one.objectOrEmpty("spec").text("volumeName"))
                            .flatMap(this::volume);
            if (volume.isPresent()
                    && uses(node, volume.get())
                    && PodReferences.secretsOfVolume(
                                    volume.get().objectOrEmpty("spec"), claim.namespace())
                            .contains(wanted)) {
                return true;
            }
        }
        return false;
    }

    private Optional<JsonObject> object(String collection, String namespace, String name) {
        return store.get(new ObjectKey(collection, namespace, name)).map(StoredObjects::tree);
    }

    private static AuthorizationDecision no(String reason) {
        return AuthorizationDecision.noOpinion(reason);
    }
}
