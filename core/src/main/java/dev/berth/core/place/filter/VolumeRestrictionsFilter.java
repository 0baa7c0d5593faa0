package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.VolumeClaims;
import dev.berth.model.api.meta.ObjectRef;
import java.util.Optional;
import java.util.Set;

/// VolumeRestrictions: no other pod uses a ReadWriteOncePod volume of the pod.
public final class VolumeRestrictionsFilter implements NodeFilter {

    /// Another pod uses a ReadWriteOncePod volume.
    public record VolumeInUse(ObjectRef claim) implements Rejection {
        @Override
        public String text() {
            return "node has pod using PersistentVolumeClaim with the same name"
                    + " and ReadWriteOncePod access mode";
        }

        @Override
        public String description() {
            return "volume claim %s is ReadWriteOncePod and used by another pod".formatted(claim);
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("delete the pod that uses volume claim %s".formatted(claim));
        }

        @Override
        public Optional<String> resolvingEvent() {
            return Optional.of("no pod uses volume claim %s".formatted(claim));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.VOLUME_EVENTS;
        }
    }

    @Override
    public String name() {
        return "VolumeRestrictions";
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
        return context.volumes()
                .claimInUse()
                .map(claim -> (_, rejections) -> rejections.add(new VolumeInUse(claim)));
    }
}
