package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.registry.StoredObjects;
import java.util.Optional;

/// Restricts the service account tokens that a node may request: bound to one of its own pods, with
/// an audience that a volume of this pod uses. A stolen node identity then yields no token that
/// outlives its pods or that other systems accept.
final class NodeTokenRequests {

    /// The verb on an audience that allows a node to request it for any pod.
    private static final String AUDIENCE_VERB = "request-serviceaccounts-token-audience";

    private final StoredObjects objects;
    private final Authorizer authorizer;

    NodeTokenRequests(StoredObjects objects, Authorizer authorizer) {
        this.objects = objects;
        this.authorizer = authorizer;
    }

    /// Why the node may not request the token; empty when it may.
    ///
    /// @param account the name of the service account
    Optional<String> problem(
            User user, String node, String namespace, String account, JsonObject request) {
        var spec = request.objectOrEmpty("spec");
        var ref = spec.objectOrEmpty("boundObjectRef");
        if (!ref.text("apiVersion").equals("v1")
                || !ref.text("kind").equals("Pod")
                || ref.text("name").isEmpty()) {
            return Optional.of("node requested token not bound to a pod");
        }
        if (ref.text("uid").isEmpty()) {
            return Optional.of("node requested token with a pod binding without a uid");
        }
        var pod = objects.get("pods", namespace, ref.text("name"));
        if (pod.isEmpty()) {
            return Optional.of("pods \"%s\" not found".formatted(ref.text("name")));
        }
        if (!pod.get().objectOrEmpty("metadata").text("uid").equals(ref.text("uid"))) {
            return Optional.of(TokenIssuer.otherUid(ref.text("uid")));
        }
        if (!pod.get().objectOrEmpty("spec").text("nodeName").equals(node)) {
            return Optional.of("node requested token bound to a pod scheduled on a different node");
        }
        var audiences = spec.strings("audiences");
        if (audiences.size() > 1) {
            return Optional.of("node may only request 0 or 1 audiences");
        }
        var audience = audiences.isEmpty() ? "" : audiences.getFirst();
        return usesAudience(pod.get(), audience) || mayRequest(user, namespace, account, audience)
                ? Optional.empty()
                : Optional.of(
                        "audience %s not found in pod spec volume"
                                .formatted(GoText.quote(audience)));
    }

    private boolean mayRequest(User user, String namespace, String account, String audience) {
        var request =
                AuthorizationRequest.ResourceAttributes.of(
                        user, AUDIENCE_VERB, "", audience, namespace);
        return authorizer.decide(request.named(account)).isAllowed();
    }

    /// @param audience empty for that of the API server
    private boolean usesAudience(JsonObject pod, String audience) {
        if (audience.isEmpty() && automounts(pod)) {
            return true;
        }
        for (var volume : pod.objectOrEmpty("spec").objects("volumes")) {
            for (var source : volume.objectOrEmpty("projected").objects("sources")) {
                var token = source.object("serviceAccountToken");
                if (token.isPresent() && token.get().text("audience").equals(audience)) {
                    return true;
                }
            }
            if (driver(pod, volume).map(driver -> requests(driver, audience)).orElse(false)) {
                return true;
            }
        }
        return false;
    }

    /// Kubernetes adds a token volume to pods that do not opt out. This server adds none, and
    /// allows node agents that mount a token by themselves to request it for the same pods.
    private boolean automounts(JsonObject pod) {
        var spec = pod.objectOrEmpty("spec");
        var field = "automountServiceAccountToken";
        return spec.flag(field)
                .or(() ->
                        objects.get(
                                        "serviceaccounts",
                                        pod.objectOrEmpty("metadata").text("namespace"),
                                        spec.text("serviceAccountName"))
                                .flatMap(account -> account.flag(field)))
                .orElse(true);
    }

    /// The CSI driver of a volume, directly or by its claim.
    private Optional<String> driver(JsonObject pod, JsonObject volume) {
        if (volume.has("csi")) {
            return Optional.of(volume.objectOrEmpty("csi").text("driver"));
        }
        var metadata = pod.objectOrEmpty("metadata");
        var claim =
                volume.has("ephemeral")
                        ? metadata.text("name") + "-" + volume.text("name")
                        : volume.objectOrEmpty("persistentVolumeClaim").text("claimName");
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        return objects.get("persistentvolumeclaims", metadata.text("namespace"), claim)
                .map(one -> one.objectOrEmpty("spec").text("volumeName"))
                .flatMap(name -> objects.get("persistentvolumes", "", name))
                .map(one -> one.objectOrEmpty("spec").objectOrEmpty("csi").text("driver"))
                .filter(name -> !name.isEmpty());
    }

    private boolean requests(String driver, String audience) {
        return objects.get("storage.k8s.io/csidrivers", "", driver).stream()
                .flatMap(one -> one.objectOrEmpty("spec").objects("tokenRequests").stream())
                .anyMatch(request -> request.text("audience").equals(audience));
    }
}
