package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.RejectionCollector;
import dev.berth.core.snapshot.NodeView;
import dev.berth.core.snapshot.VolumeClaims;
import dev.berth.model.api.meta.ObjectRef;
import java.util.Optional;
import java.util.Set;

/// VolumeBinding: the node can access the bound volumes of the pod, and volumes exist or can be
/// provisioned for its unbound claims.
public final class VolumeBindingFilter implements NodeFilter {

    /// The node affinity of a bound volume does not match.
    public record VolumeNodeAffinityMismatch(String volume) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match PersistentVolume's node affinity";
        }

        @Override
        public String description() {
            return "the node cannot access volume %s of the pod".formatted(volume);
        }

        @Override
        public String rule() {
            return "volume %s not accessible".formatted(volume);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("use a volume other than " + volume);
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.VOLUME_EVENTS;
        }
    }

    /// No volume exists for a claim and none can be provisioned.
    public record NoVolumeToBind(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't find available persistent volumes to bind";
        }

        @Override
        public String description() {
            return "no volume matches volume claim %s, and none can be provisioned"
                    .formatted(claim);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("provide a volume for volume claim %s".formatted(claim));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.VOLUME_EVENTS;
        }
    }

    @Override
    public String name() {
        return "VolumeBinding";
    }

    @Override
    public Scope scope() {
        return Scope.CLUSTER;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        return VolumeClaims.of(context.pod());
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var volumes = context.volumes();
        if (volumes.problem().isPresent()) {
            var fault = new Rejection.Fault(volumes.problem().get(), true);
            return Optional.of((_, rejections) -> rejections.add(fault));
        }
        return volumes.isEmpty()
                ? Optional.empty()
                : Optional.of((node, rejections) -> evaluate(volumes, node, rejections));
    }

    private static void evaluate(PodVolumes volumes, NodeView node, RejectionCollector rejections) {
        for (var volume : volumes.bound()) {
            if (!PodVolumes.reaches(volume, node.node())) {
                rejections.add(new VolumeNodeAffinityMismatch(volume.metadata().name()));
                return;
            }
        }
        volumes.claimWithoutVolume(node.node())
                .ifPresent(claim -> rejections.add(new NoVolumeToBind(claim)));
    }
}
