package dev.berth.core.place.filter;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.place.NodeFilter;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.AffinityProfile;
import dev.berth.core.snapshot.AffinityTerm;
import dev.berth.core.snapshot.TopologyDomain;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// InterPodAffinity: the required pod affinity and anti-affinity of the pod, and the required
/// anti-affinity of existing pods.
public final class InterPodAffinityFilter implements NodeFilter {

    /// The domain has no pods that match the required affinity.
    ///
    /// @param topologyKey the topology key of the unmet term
    /// @param domain the domain without matching pods; empty when the node has no such label
    /// @param terms the terms, all of which pods must match
    public record PodAffinityNotMet(
            String topologyKey, Optional<TopologyDomain> domain, List<AffinityTerm> terms)
            implements Rejection {
        public PodAffinityNotMet {
            terms = List.copyOf(terms);
        }

        @Override
        public String text() {
            return "node(s) didn't match pod affinity rules";
        }

        @Override
        public String description() {
            return "the pod's affinity requires pods %s, %s"
                    .formatted(
                            AffinityTermText.format(terms),
                            domain.map(where -> "none are in " + where)
                                    .orElse("and the node has no label " + topologyKey));
        }

        @Override
        public String rule() {
            return "affinity to pods %s by %s"
                    .formatted(AffinityTermText.format(terms), topologyKey);
        }

        @Override
        public Optional<String> remedy() {
            var pods = AffinityTermText.format(terms);
            return Optional.of(
                    domain.map(where -> "run a pod %s in %s".formatted(pods, where))
                            .orElse("drop the affinity to pods " + pods));
        }

        @Override
        public Optional<String> resolvingEvent() {
            return domain.map(
                    where -> "a pod %s is in %s".formatted(AffinityTermText.format(terms), where));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.POD_EVENTS;
        }
    }

    /// The domain has pods that match the pod's anti-affinity.
    ///
    /// @param pods the number of matching pods
    public record PodAntiAffinityViolated(TopologyDomain domain, AffinityTerm term, long pods)
            implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't match pod anti-affinity rules";
        }

        @Override
        public String description() {
            return "the pod's anti-affinity excludes pods %s, %s in %s"
                    .formatted(
                            AffinityTermText.format(term),
                            pods == 1 ? "1 is" : pods + " are",
                            domain);
        }

        @Override
        public String rule() {
            return "anti-affinity to pods %s by %s"
                    .formatted(AffinityTermText.format(term), domain.key());
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("drop the anti-affinity to pods " + AffinityTermText.format(term));
        }

        @Override
        public Optional<String> resolvingEvent() {
            return Optional.of(
                    "no pods %s are in %s".formatted(AffinityTermText.format(term), domain));
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.POD_EVENTS;
        }
    }

    /// The domain has pods whose anti-affinity matches the pod.
    ///
    /// @param pods the number of such pods
    public record ExistingAntiAffinityViolated(TopologyDomain domain, long pods)
            implements Rejection {
        @Override
        public String text() {
            return "node(s) didn't satisfy existing pods anti-affinity rules";
        }

        @Override
        public String description() {
            return "the anti-affinity of %s in %s excludes the pod"
                    .formatted(countedPods(), domain);
        }

        private String countedPods() {
            return pods == 1 ? "1 pod" : pods + " pods";
        }

        @Override
        public String rule() {
            return "anti-affinity of other pods by " + domain.key();
        }

        @Override
        public Optional<String> remedy() {
            return Optional.of("move %s away from %s".formatted(countedPods(), domain));
        }

        @Override
        public Optional<String> resolvingEvent() {
            return Optional.of("no pods with anti-affinity to this pod are in " + domain);
        }

        @Override
        public Set<ClusterEvent> requeueOn() {
            return ClusterEvent.POD_EVENTS;
        }
    }

    @Override
    public String name() {
        return "InterPodAffinity";
    }

    @Override
    public Scope scope() {
        return Scope.CLUSTER;
    }

    @Override
    public Object cacheKey(EvaluationContext context) {
        return AffinityProfile.of(context.pod());
    }

    @Override
    public Optional<Check> prepare(EvaluationContext context) {
        var snapshot = context.snapshot();
        var counts =
                AffinityCounts.of(
                        AffinityProfile.of(context.pod()),
                        snapshot.usage().podCounts(),
                        snapshot.inventory(),
                        snapshot.context().namespaces());
        return counts.rejectsNothing() ? Optional.empty() : Optional.of(counts::evaluate);
    }
}
