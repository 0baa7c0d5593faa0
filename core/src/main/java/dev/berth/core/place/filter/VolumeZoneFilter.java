package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.VolumeClaims;
import java.util.Optional;
import java.util.Set;

/// VolumeZone: the bound volumes of the pod are in the zone and region of the node.
public final class VolumeZoneFilter implements NodeFilter {

    /// A volume is in another zone.
    public record VolumeZoneMismatch(String volume) implements Rejection {
        @Override
        public String text() {
            return "node(s) had no available volume zone";
        }

        @Override
        public String description() {
            return "volume %s of the pod is in another zone".formatted(volume);
        }

        @Override
        public String rule() {
            return "volume %s in another zone".formatted(volume);
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

    @Override
    public String name() {
        return "VolumeZone";
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
        if (volumes.problem().isPresent() || volumes.bound().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of((node, rejections) -> {
            for (var volume : volumes.bound()) {
                if (!VolumeZones.match(volume, node.node())) {
                    rejections.add(new VolumeZoneMismatch(volume.metadata().name()));
                    return;
                }
            }
        });
    }
}
