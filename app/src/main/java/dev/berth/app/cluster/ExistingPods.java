package dev.berth.app.cluster;

import dev.berth.app.manifest.Manifest;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Existing pods of workload controllers, which are not created again: the dump of a cluster has
/// both.
final class ExistingPods {

    private static final String POD_TEMPLATE_HASH = "pod-template-hash";

    /// The controller of a pod.
    private record Owner(String kind, ObjectRef ref) {}

    private final Map<Owner, List<Pod>> byOwner = new HashMap<>();

    ExistingPods(List<Pod> bound, List<Pod> unbound, List<Manifest> makers) {
        var above = new HashMap<Owner, Owner>();
        for (var maker : makers) {
            var metadata = maker.object().objectOrEmpty("metadata");
            for (var reference : metadata.objects("ownerReferences")) {
                if (reference.flag("controller").orElse(false)) {
                    above.put(
                            owner(maker.kind(), metadata, metadata.text("name")),
                            owner(reference.text("kind"), metadata, reference.text("name")));
                }
            }
        }
        bound.forEach(pod -> add(pod, above));
        unbound.forEach(pod -> add(pod, above));
    }

    private static Owner owner(String kind, JsonObject metadata, String name) {
        var namespace = metadata.string("namespace").orElse("default");
        return new Owner(kind, new ObjectRef(namespace, name));
    }

    private void add(Pod pod, Map<Owner, Owner> above) {
        pod.metadata()
                .controller()
                .ifPresent(reference -> {
                    var namespace = pod.metadata().namespace();
                    var owner =
                            new Owner(reference.kind(), new ObjectRef(namespace, reference.name()));
                    // A Deployment owns its pods through a ReplicaSet.
                    var top = above.getOrDefault(owner, deployment(owner, pod));
                    byOwner.computeIfAbsent(top, _ -> new ArrayList<>()).add(pod);
                    if (!top.equals(owner)) {
                        byOwner.computeIfAbsent(owner, _ -> new ArrayList<>()).add(pod);
                    }
                });
    }

    /// The Deployment of a ReplicaSet that was not read; its name is that of the ReplicaSet without
    /// the pod-template-hash. Otherwise the owner itself.
    private static Owner deployment(Owner owner, Pod pod) {
        var suffix = "-" + pod.metadata().labels().getOrDefault(POD_TEMPLATE_HASH, "");
        var name = owner.ref.name();
        return owner.kind.equals("ReplicaSet") && suffix.length() > 1 && name.endsWith(suffix)
                ? new Owner(
                        "Deployment",
                        new ObjectRef(
                                owner.ref.namespace(),
                                name.substring(0, name.length() - suffix.length())))
                : owner;
    }

    /// The pods of a controller, and of the controllers that it owns.
    List<Pod> of(String kind, ObjectRef maker) {
        return byOwner.getOrDefault(new Owner(kind, maker), List.of());
    }

    int count(String kind, ObjectRef maker) {
        return of(kind, maker).size();
    }

    Set<String> nodes(String kind, ObjectRef maker) {
        var nodes = new HashSet<String>();
        of(kind, maker).forEach(pod -> nodes.add(pod.spec().nodeName()));
        return nodes;
    }
}
