package dev.berth.control.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.api.pod.PodPhase;
import java.util.Optional;
import java.util.function.Consumer;

/// Rules of pods, claims, groups and nodes.
final class ClusterKindRules {

    private ClusterKindRules() {}

    /// Pods enter the queue while they are pending, and use resources of their node afterwards.
    record Pods(
            ClusterView view,
            Consumer<ClusterEvent> events,
            QueueAdmission admission,
            BindingPipeline pipeline)
            implements KindRules<ObjectRef, Pod> {

        @Override
        public ObjectRef key(Pod pod) {
            return pod.ref();
        }

        @Override
        public void put(Pod now, Optional<Pod> before, boolean isListed) {
            view.change(snapshot -> snapshot.with(now));
            event(now, before).ifPresent(events);
            admission.podSeen(now);
            if (now.metadata().isDeleting()) {
                pipeline.cancel(now);
            }
        }

        private static Optional<ClusterEvent> event(Pod now, Optional<Pod> before) {
            var usedResources = before.filter(Pods::usesResources).isPresent();
            if (usedResources != usesResources(now)) {
                return Optional.of(
                        usedResources ? ClusterEvent.RESOURCES_FREED : ClusterEvent.POD_PLACED);
            }
            if (!usedResources) {
                return Optional.empty();
            }
            if (!before.get().spec().equals(now.spec())) {
                // The pod may request less than before.
                return Optional.of(ClusterEvent.RESOURCES_FREED);
            }
            return before.get().metadata().labels().equals(now.metadata().labels())
                    ? Optional.empty()
                    : Optional.of(ClusterEvent.POD_PLACED);
        }

        private static boolean usesResources(Pod pod) {
            var phase = pod.status().phase();
            return !pod.spec().nodeName().isEmpty()
                    && phase != PodPhase.Known.SUCCEEDED
                    && phase != PodPhase.Known.FAILED;
        }

        @Override
        public void remove(Pod last) {
            view.change(snapshot -> snapshot.withoutPod(last.ref()));
            if (usesResources(last)) {
                events.accept(ClusterEvent.RESOURCES_FREED);
            }
            admission.podDeleted(last);
            pipeline.cancel(last);
        }
    }

    /// Claims hold devices while they are allocated.
    record Claims(
            ClusterView view,
            Consumer<ClusterEvent> events,
            QueueAdmission admission,
            PodBindings bindings,
            BindingPipeline pipeline)
            implements KindRules<ObjectRef, ResourceClaim> {

        @Override
        public ObjectRef key(ResourceClaim claim) {
            return claim.ref();
        }

        @Override
        public void put(ResourceClaim now, Optional<ResourceClaim> before, boolean isListed) {
            view.put(now);
            var hadDevices = before.filter(Claims::hasDevices).isPresent();
            if (hasDevices(now) && !hadDevices) {
                // The stored claim now holds the devices assumed under the placeholder name.
                ExtendedResourceClaims.inMemoryOf(now)
                        .ifPresent(ref -> view.change(snapshot -> snapshot.forgetClaim(ref)));
                if (bindings.size() > 0 && !bindings.isOwnAllocation(now)) {
                    view.addForeignAllocation(now, !isListed);
                }
            }
            if (hadDevices && !hasDevices(now)) {
                events.accept(ClusterEvent.DEVICES_FREED);
            }
            pipeline.claimSeen(now);
            admission.claimSeen(now, before);
        }

        private static boolean hasDevices(ResourceClaim claim) {
            return claim.status().allocation().isPresent();
        }

        @Override
        public void remove(ResourceClaim last) {
            view.remove(last);
            if (hasDevices(last)) {
                events.accept(ClusterEvent.DEVICES_FREED);
            }
            pipeline.claimDeleted(last);
        }
    }

    /// Groups own claims of their pods.
    record PodGroups(ClusterView view, QueueAdmission admission)
            implements KindRules<ObjectRef, PodGroup> {

        @Override
        public ObjectRef key(PodGroup group) {
            return group.ref();
        }

        @Override
        public void put(PodGroup now, Optional<PodGroup> before, boolean isListed) {
            view.change(snapshot -> snapshot.with(snapshot.context().with(now)));
            admission.groupSeen(now);
        }

        @Override
        public void remove(PodGroup last) {
            view.change(snapshot -> snapshot.with(snapshot.context().withoutGroup(last.ref())));
        }
    }

    record Nodes(ClusterView view, Consumer<ClusterEvent> events)
            implements KindRules<String, Node> {

        @Override
        public String key(Node node) {
            return node.name();
        }

        /// Nodes update their status every few seconds, mostly without relevant changes.
        @Override
        public boolean isEquivalent(Node before, Node now) {
            return before.metadata().uid().equals(now.metadata().uid())
                    && before.labels().equals(now.labels())
                    && before.spec().equals(now.spec())
                    && before.status().allocatable().equals(now.status().allocatable())
                    && before.status().capacity().equals(now.status().capacity())
                    && before.status().declaredFeatures().equals(now.status().declaredFeatures());
        }

        @Override
        public void put(Node now, Optional<Node> before, boolean isListed) {
            view.change(snapshot -> snapshot.with(now));
            events.accept(ClusterEvent.NODE);
        }

        @Override
        public void remove(Node last) {
            view.change(snapshot -> snapshot.withoutNode(last.name()));
            events.accept(ClusterEvent.NODE);
        }
    }
}
