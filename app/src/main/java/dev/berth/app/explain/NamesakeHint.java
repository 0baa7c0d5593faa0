package dev.berth.app.explain;

import dev.berth.app.cluster.ClusterFiles;
import dev.berth.app.explain.ExplainTarget.TargetKind;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.text.SimilarNames;
import java.util.List;

/// A hint for the name of an object that does not exist: the same name in another namespace, or a
/// similar name in the same one.
final class NamesakeHint {

    private NamesakeHint() {}

    /// The hint, with a separator before it; empty if the object exists or no name is similar.
    static String of(TargetKind kind, ObjectRef ref, ClusterFiles cluster) {
        return switch (kind) {
            case POD -> of(ref, refs(cluster.objects().pods()));
            case CLAIM -> of(ref, refs(cluster.objects().claims()));
            case DEPLOYMENT, JOB, STATEFUL_SET, REPLICA_SET, DAEMON_SET, CRON_JOB ->
                    of(ref, cluster.workloads(kind.kind()));
        };
    }

    private static List<ObjectRef> refs(List<? extends KubernetesObject> objects) {
        return objects.stream().map(KubernetesObject::ref).toList();
    }

    private static String of(ObjectRef ref, List<ObjectRef> existing) {
        if (existing.contains(ref)) {
            return "";
        }
        var elsewhere =
                existing.stream()
                        .filter(other -> other.name().equals(ref.name()))
                        .map(ObjectRef::namespace)
                        .sorted()
                        .toList();
        if (!elsewhere.isEmpty()) {
            return "; it exists in namespace %s, add -n %s"
                    .formatted(String.join(", ", elsewhere), elsewhere.getFirst());
        }
        var names =
                existing.stream()
                        .filter(other -> other.namespace().equals(ref.namespace()))
                        .map(ObjectRef::name)
                        .sorted()
                        .toList();
        return SimilarNames.question(ref.name(), names).map("; "::concat).orElse("");
    }
}
