package dev.berth.control.disruption;

import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.disruption.OwnerScale;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The scales of the controllers that own pods, from informer caches.
final class OwnerScales {

    private static final OwnerScale NOT_FOUND = new OwnerScale.NotFound();

    private final ObjectCache<JsonObject> replicaSets;
    private final ObjectCache<JsonObject> deployments;
    private final ObjectCache<JsonObject> statefulSets;
    private final ObjectCache<JsonObject> replicationControllers;

    OwnerScales(SharedCaches caches) {
        this.replicaSets = caches.of(new ResourcePath("apps", "v1", "replicasets"));
        this.deployments = caches.of(new ResourcePath("apps", "v1", "deployments"));
        this.statefulSets = caches.of(new ResourcePath("apps", "v1", "statefulsets"));
        this.replicationControllers =
                caches.of(new ResourcePath("", "v1", "replicationcontrollers"));
    }

    List<ObjectCache<JsonObject>> caches() {
        return List.of(replicaSets, deployments, statefulSets, replicationControllers);
    }

    /// The scale of a controller. A ReplicaSet of a Deployment counts as the Deployment.
    OwnerScale of(String namespace, OwnerReference owner) {
        var ref = new ObjectRef(namespace, owner.name());
        var uid = owner.uid().value();
        return switch (groupAndKind(owner)) {
            case "apps/ReplicaSet" -> ofReplicaSet(ref, uid);
            case "apps/Deployment" -> find(deployments, ref, uid);
            case "apps/StatefulSet" -> find(statefulSets, ref, uid);
            case "/ReplicationController" -> find(replicationControllers, ref, uid);
            case "batch/Job" -> new OwnerScale.NotScalable("jobs.batch");
            case "apps/DaemonSet" -> new OwnerScale.NotScalable("daemonsets.apps");
            default -> NOT_FOUND;
        };
    }

    private static String groupAndKind(OwnerReference owner) {
        var slash = owner.apiVersion().indexOf('/');
        return owner.apiVersion().substring(0, Math.max(0, slash)) + "/" + owner.kind();
    }

    private OwnerScale ofReplicaSet(ObjectRef ref, String uid) {
        var set = replicaSets.find(ref).filter(hasUid(uid));
        var deployment =
                set.flatMap(one ->
                        one.objectOrEmpty("metadata").objects("ownerReferences").stream()
                                .filter(owner -> owner.flag("controller").orElse(false))
                                .filter(owner -> owner.text("kind").equals("Deployment"))
                                .findFirst());
        return deployment
                .map(owner ->
                        find(
                                deployments,
                                new ObjectRef(ref.namespace(), owner.text("name")),
                                owner.text("uid")))
                .orElseGet(() -> replicas(set));
    }

    private static OwnerScale find(ObjectCache<JsonObject> cache, ObjectRef ref, String uid) {
        return replicas(cache.find(ref).filter(hasUid(uid)));
    }

    private static Predicate<JsonObject> hasUid(String uid) {
        return one -> one.objectOrEmpty("metadata").text("uid").equals(uid);
    }

    private static OwnerScale replicas(Optional<JsonObject> owner) {
        return owner.<OwnerScale>map(one ->
                        new OwnerScale.Replicas(
                                one.objectOrEmpty("metadata").text("uid"),
                                one.objectOrEmpty("spec").number("replicas").orElse(1)))
                .orElse(NOT_FOUND);
    }
}
