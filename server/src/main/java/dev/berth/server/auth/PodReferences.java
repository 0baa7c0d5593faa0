package dev.berth.server.auth;

import dev.berth.model.json.JsonObject;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// The objects that a pod refers to, which its node has to read in order to run it.
final class PodReferences {

    /// The annotation of mirror pods, which represent static pods of a node.
    static final String MIRROR = "kubernetes.io/config.mirror";

    /// @param kind plural, as in paths
    record Reference(String kind, String namespace, String name) implements Comparable<Reference> {

        private static final Comparator<Reference> ORDER =
                Comparator.comparing(Reference::name)
                        .thenComparing(Reference::namespace)
                        .thenComparing(Reference::kind);

        @Override
        public int compareTo(Reference other) {
            return ORDER.compare(this, other);
        }
    }

    static final String SECRETS = "secrets";
    static final String CONFIG_MAPS = "configmaps";
    static final String VOLUME_CLAIMS = "persistentvolumeclaims";
    static final String RESOURCE_CLAIMS = "resourceclaims";
    static final String ACCOUNTS = "serviceaccounts";

    private final String namespace;
    private final String podName;
    private final Set<Reference> found = new HashSet<>();

    private PodReferences(JsonObject pod) {
        var metadata = pod.objectOrEmpty("metadata");
        this.namespace = metadata.text("namespace");
        this.podName = metadata.text("name");
    }

    static Set<Reference> of(JsonObject pod) {
        var references = new PodReferences(pod);
        references.spec(pod.objectOrEmpty("spec"));
        references.status(pod.objectOrEmpty("status"));
        return Collections.unmodifiableSet(references.found);
    }

    private void spec(JsonObject spec) {
        add(ACCOUNTS, spec.text("serviceAccountName"));
        spec.objects("imagePullSecrets").forEach(one -> add(SECRETS, one.text("name")));
        for (var list : List.of("containers", "initContainers", "ephemeralContainers")) {
            spec.objects(list).forEach(this::container);
        }
        spec.objects("volumes").forEach(this::volume);
        for (var claim : spec.objects("resourceClaims")) {
            add(RESOURCE_CLAIMS, claim.text("resourceClaimName"));
        }
    }

    private void status(JsonObject status) {
        for (var claim : status.objects("resourceClaimStatuses")) {
            add(RESOURCE_CLAIMS, claim.text("resourceClaimName"));
        }
        add(
                RESOURCE_CLAIMS,
                status.objectOrEmpty("extendedResourceClaimStatus").text("resourceClaimName"));
    }

    private void container(JsonObject container) {
        for (var source : container.objects("envFrom")) {
            add(SECRETS, source.objectOrEmpty("secretRef").text("name"));
            add(CONFIG_MAPS, source.objectOrEmpty("configMapRef").text("name"));
        }
        for (var variable : container.objects("env")) {
            var from = variable.objectOrEmpty("valueFrom");
            add(SECRETS, from.objectOrEmpty("secretKeyRef").text("name"));
            add(CONFIG_MAPS, from.objectOrEmpty("configMapKeyRef").text("name"));
        }
    }

    private void volume(JsonObject volume) {
        add(CONFIG_MAPS, volume.objectOrEmpty("configMap").text("name"));
        add(VOLUME_CLAIMS, volume.objectOrEmpty("persistentVolumeClaim").text("claimName"));
        if (volume.has("ephemeral")) {
            add(VOLUME_CLAIMS, podName + "-" + volume.text("name"));
        }
        for (var source : volume.objectOrEmpty("projected").objects("sources")) {
            add(SECRETS, source.objectOrEmpty("secret").text("name"));
            add(CONFIG_MAPS, source.objectOrEmpty("configMap").text("name"));
        }
        // Secrets of a pod are always in its own namespace.
        secretsOf(volume, (_, name) -> add(SECRETS, name));
    }

    private void add(String kind, String name) {
        if (!name.isEmpty()) {
            found.add(new Reference(kind, namespace, name));
        }
    }

    /// The secrets that a node needs to mount a persistent volume; they may be in another
    /// namespace.
    ///
    /// @param namespace namespace of the claim
    static Set<Reference> secretsOfVolume(JsonObject spec, String namespace) {
        var found = new HashSet<Reference>();
        secretsOf(
                spec,
                (own, name) -> {
                    var where = own.isEmpty() ? namespace : own;
                    found.add(new Reference(SECRETS, where, name));
                });
        return found;
    }

    /// Visits the secrets of a volume source. Each volume type has its own field for it.
    private static void secretsOf(JsonObject source, BiConsumer<String, String> visitor) {
        for (var member : source.members().values()) {
            if (!(member instanceof JsonObject details)) {
                continue;
            }
            visit(details.text("secretNamespace"), details.text("secretName"), visitor);
            for (var part : details.members().entrySet()) {
                if (isNodeSecretRef(part.getKey()) && part.getValue() instanceof JsonObject ref) {
                    visit(ref.text("namespace"), ref.text("name"), visitor);
                }
            }
        }
    }

    private static void visit(String namespace, String name, BiConsumer<String, String> to) {
        if (!name.isEmpty()) {
            to.accept(namespace, name);
        }
    }

    /// True for `secretRef`, `nodeStageSecretRef` and similar; others are for controllers.
    private static boolean isNodeSecretRef(String field) {
        return field.endsWith("ecretRef") && !field.startsWith("controller");
    }

    static boolean isMirror(JsonObject pod) {
        return pod.objectOrEmpty("metadata").objectOrEmpty("annotations").has(MIRROR);
    }
}
