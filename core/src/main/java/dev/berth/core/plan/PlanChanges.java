package dev.berth.core.plan;

import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSubRequest;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.claim.ResourceClaimTemplateSpec;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.NodeTaintEffect;
import dev.berth.model.api.taint.Toleration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/// Changes to a cluster before its pods are planned.
///
/// @param releasedClaims claims whose devices become free. Pods that use them end
/// @param tolerations taints of devices and nodes that the planned pods tolerate in addition
/// @param removedNodes nodes that are removed. Their pods are planned anew, before other pods; pods
///   of DaemonSets end
public record PlanChanges(
        Set<ObjectRef> releasedClaims,
        List<DeviceToleration> tolerations,
        Set<String> removedNodes) {

    public static final PlanChanges NONE = new PlanChanges(Set.of(), List.of(), Set.of());

    /// Kinds of controllers that do not create their pods on other nodes.
    private static final Set<String> NODE_CONTROLLERS = Set.of("DaemonSet", "Node");

    public PlanChanges {
        releasedClaims = Collections.unmodifiableSet(new TreeSet<>(releasedClaims));
        tolerations = List.copyOf(tolerations);
        removedNodes = Collections.unmodifiableSet(new TreeSet<>(removedNodes));
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    /// The cluster after the changes.
    public PlanInput applied(PlanInput input) {
        var ended = new HashSet<ObjectRef>();
        var displaced = new ArrayList<PlanInput.PendingPod>();
        var released = consumers(input);
        for (var pod : input.pods()) {
            var isDisplaced = removedNodes.contains(pod.spec().nodeName());
            if (released.contains(pod.ref()) || isDisplaced) {
                ended.add(pod.ref());
            }
            if (isDisplaced && !released.contains(pod.ref()) && !isBoundToNode(pod)) {
                displaced.add(
                        new PlanInput.PendingPod(
                                "pod " + pod.ref(),
                                unbound(pod),
                                Optional.of(pod.spec().nodeName())));
            }
        }
        displaced.addAll(input.pendingPods());
        return new PlanInput(
                input.nodes().stream().filter(one -> !removedNodes.contains(one.name())).toList(),
                input.slices(),
                input.classes(),
                input.taintRules(),
                claims(input, ended),
                input.templates().stream().map(this::tolerating).toList(),
                input.pods().stream().filter(pod -> !ended.contains(pod.ref())).toList(),
                displaced.stream()
                        .map(one ->
                                new PlanInput.PendingPod(
                                        one.group(), tolerating(one.pod()), one.removedNode()))
                        .toList(),
                input.context(),
                input.quotas(),
                input.workloads());
    }

    private static boolean isBoundToNode(Pod pod) {
        return pod.metadata()
                .controller()
                .filter(owner -> NODE_CONTROLLERS.contains(owner.kind()))
                .isPresent();
    }

    /// The pods that use a released claim.
    private Set<ObjectRef> consumers(PlanInput input) {
        var consumers = new HashSet<ObjectRef>();
        for (var claim : input.claims()) {
            if (releasedClaims.contains(claim.ref())) {
                claim.status().reservedFor().stream()
                        .filter(consumer -> !consumer.isPodGroup())
                        .map(consumer -> consumer(claim, consumer))
                        .forEach(consumers::add);
            }
        }
        return consumers;
    }

    private static ObjectRef consumer(ResourceClaim claim, ConsumerReference consumer) {
        return new ObjectRef(claim.metadata().namespace(), consumer.name());
    }

    /// Deallocates released claims and claims that only ended pods use. The scheduler creates the
    /// claims of extended resources anew for each placement.
    private List<ResourceClaim> claims(PlanInput input, Set<ObjectRef> ended) {
        var extended = new HashSet<ObjectRef>();
        for (var pod : input.pods()) {
            if (ended.contains(pod.ref())) {
                PodClaimReferences.ofExtendedResources(pod).ifPresent(extended::add);
            }
        }
        var claims = new ArrayList<ResourceClaim>();
        for (var claim : input.claims()) {
            if (extended.contains(claim.ref())) {
                continue;
            }
            var consumers = claim.status().reservedFor();
            var isUnused =
                    !consumers.isEmpty()
                            && consumers.stream()
                                    .allMatch(one -> ended.contains(consumer(claim, one)));
            var isFree = isUnused || releasedClaims.contains(claim.ref());
            claims.add(tolerating(isFree ? claim.withStatus(ResourceClaimStatus.EMPTY) : claim));
        }
        return claims;
    }

    private static Pod unbound(Pod pod) {
        return new Pod(pod.metadata(), pod.spec().withNodeName(""), pod.status().unbound());
    }

    private Pod tolerating(Pod pod) {
        if (tolerations.isEmpty()) {
            return pod;
        }
        var all = new ArrayList<>(pod.spec().tolerations());
        for (var one : tolerations) {
            all.add(
                    new Toleration(
                            one.key(),
                            one.operator(),
                            one.value(),
                            one.effect().map(effect -> NodeTaintEffect.of(effect.text())),
                            OptionalLong.empty()));
        }
        return new Pod(pod.metadata(), pod.spec().withTolerations(all), pod.status());
    }

    private ResourceClaimTemplate tolerating(ResourceClaimTemplate template) {
        return tolerations.isEmpty()
                ? template
                : new ResourceClaimTemplate(
                        template.metadata(),
                        new ResourceClaimTemplateSpec(
                                template.spec().metadata(), tolerating(template.spec().spec())));
    }

    private ResourceClaim tolerating(ResourceClaim claim) {
        return tolerations.isEmpty() || claim.status().allocation().isPresent()
                ? claim
                : new ResourceClaim(claim.metadata(), tolerating(claim.spec()), claim.status());
    }

    private ResourceClaimSpec tolerating(ResourceClaimSpec spec) {
        var requests =
                spec.requests().stream()
                        .<DeviceRequest>map(request ->
                                switch (request) {
                                    case DeviceRequest.Exactly(var name, var demand, var admin) ->
                                            new DeviceRequest.Exactly(
                                                    name, tolerating(demand), admin);
                                    case DeviceRequest.FirstAvailable(var name, var all) ->
                                            new DeviceRequest.FirstAvailable(
                                                    name,
                                                    all.stream()
                                                            .map(one ->
                                                                    new DeviceSubRequest(
                                                                            one.name(),
                                                                            tolerating(
                                                                                    one.demand())))
                                                            .toList());
                                    case DeviceRequest.Unrecognised unknown -> unknown;
                                })
                        .toList();
        return new ResourceClaimSpec(requests, spec.constraints(), spec.config());
    }

    private DeviceDemand tolerating(DeviceDemand demand) {
        var all = new ArrayList<>(demand.tolerations());
        all.addAll(tolerations);
        return new DeviceDemand(
                demand.deviceClassName(),
                demand.selectors(),
                demand.count(),
                all,
                demand.capacity(),
                demand.derivedAttributes());
    }
}
