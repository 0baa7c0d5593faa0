package dev.berth.core.explain;

import dev.berth.core.place.AffinityTerm;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.TopologyDomain;
import dev.berth.model.api.LabelSelector;
import dev.berth.model.api.NodeSelectorOperator;
import dev.berth.model.api.NodeSelectorRequirement;
import dev.berth.model.api.NodeStatus;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Words for the reasons why a pod cannot use a node.
final class RejectionText {

    private static final String PODS = "pods";

    private RejectionText() {}

    /// The reason with the values of one node.
    static String describe(Rejection reason) {
        return switch (reason) {
            case Rejection.NodeNameMismatch(var named) -> "the pod is bound to node " + named;
            case Rejection.Unschedulable _ -> "the node is unschedulable";
            case Rejection.UntoleratedTaint(var taint) ->
                    "the pod does not tolerate node taint " + format(taint);
            case Rejection.NodeAffinityMismatch(var label) ->
                    label.map(wanted -> "the pod's nodeSelector requires " + wanted)
                            .orElse("the pod's node affinity does not match");
            case Rejection.Insufficient shortage -> insufficient(shortage);
            case Rejection.PortTaken(var port) ->
                    "host port %d of the node is in use".formatted(port);
            case Rejection.PodAffinityNotMet(var key, var place, var terms) ->
                    "the pod's affinity requires pods %s, %s"
                            .formatted(
                                    format(terms),
                                    place.map(where -> "none are in " + where)
                                            .orElse("and the node has no label " + key));
            case Rejection.PodAntiAffinityViolated(var place, var term, var pods) ->
                    "the pod's anti-affinity excludes pods %s, %s in %s"
                            .formatted(format(term), are(pods), place);
            case Rejection.ExistingAntiAffinityViolated(var place, var pods) ->
                    "the anti-affinity of %s in %s excludes the pod".formatted(pods(pods), place);
            case Rejection.TopologySkewExceeded(var place, var pods, var fewest, var maxSkew) ->
                    ("topology spread: %s would have %s, the maximum is %d (minimum %d,"
                                    + " maxSkew %d)")
                            .formatted(place, pods(pods), fewest + maxSkew, fewest, maxSkew);
            case Rejection.TopologyLabelMissing(var key) ->
                    "topology spread: the node has no label %s".formatted(key);
            case Rejection.ClaimNotOnNode(var claim) ->
                    "the node cannot access the devices of claim %s".formatted(claim);
            case Rejection.NodeOperationsNotSkippable(var claim, var device) ->
                    ("claim %s has device %s with skipNodeOperations, and the node does not declare"
                                    + " %s")
                            .formatted(claim, device, NodeStatus.OPTIONAL_OPERATIONS);
            case Rejection.ClaimUnusable unusable -> UnusableClaimText.describe(unusable);
            case Rejection.MappedClaimInUse(var claim) ->
                    "claim %s maps to node resources and is used by another pod".formatted(claim);
            case Rejection.PodLevelResourcesTooLow(var resource, var isLimit, _) ->
                    "the pod-level %s of %s is too low for its containers and devices"
                            .formatted(isLimit ? "limit" : "request", resource);
            case Rejection.VolumeNodeAffinityMismatch _,
                    Rejection.VolumeZoneMismatch _,
                    Rejection.NoVolumeToBind _,
                    Rejection.VolumeInUse _ ->
                    volume(reason);
            case Rejection.NoDevices _, Rejection.Undecided _, Rejection.Fault _ -> reason.text();
        };
    }

    private static String insufficient(Rejection.Insufficient shortage) {
        var resource = shortage.resource();
        if (resource.equals(PODS)) {
            return "the node has reached its limit of %s pods".formatted(shortage.total());
        }
        if (shortage.total().signum() > 0) {
            return "insufficient %s: the pod requests %s, %s of %s is left"
                    .formatted(resource, shortage.requested(), shortage.left(), shortage.total());
        }
        return "insufficient %s: the pod requests %s, the node has none%s"
                .formatted(
                        resource,
                        shortage.requested(),
                        shortage.isUnknownResource() ? ", and no device class provides it" : "");
    }

    private static String volume(Rejection reason) {
        return switch (reason) {
            case Rejection.VolumeNodeAffinityMismatch(var volume) ->
                    "the node cannot access volume %s of the pod".formatted(volume);
            case Rejection.VolumeZoneMismatch(var volume) ->
                    "volume %s of the pod is in another zone".formatted(volume);
            case Rejection.NoVolumeToBind(var claim) ->
                    "no volume matches volume claim %s, and none can be provisioned"
                            .formatted(claim);
            case Rejection.VolumeInUse(var claim) ->
                    "volume claim %s is ReadWriteOncePod and used by another pod".formatted(claim);
            default -> reason.text();
        };
    }

    /// The rule that rejects nodes, without values that differ between nodes.
    static String rule(Rejection reason) {
        return switch (reason) {
            case Rejection.Unschedulable _ -> "unschedulable";
            case Rejection.UntoleratedTaint(var taint) -> "untolerated taint " + format(taint);
            case Rejection.NodeAffinityMismatch(var label) ->
                    label.map(wanted -> "nodeSelector " + wanted).orElse("node affinity");
            case Rejection.Insufficient shortage -> insufficientRule(shortage);
            case Rejection.PodAffinityNotMet(var key, _, var terms) ->
                    "affinity to pods %s by %s".formatted(format(terms), key);
            case Rejection.PodAntiAffinityViolated(var place, var term, _) ->
                    "anti-affinity to pods %s by %s".formatted(format(term), place.key());
            case Rejection.ExistingAntiAffinityViolated(var place, _) ->
                    "anti-affinity of other pods by " + place.key();
            case Rejection.TopologySkewExceeded(var place, _, _, _) ->
                    "topology spread over " + place.key();
            case Rejection.TopologyLabelMissing(var key) ->
                    "no label %s for topology spread".formatted(key);
            case Rejection.VolumeNodeAffinityMismatch(var volume) ->
                    "volume %s not accessible".formatted(volume);
            case Rejection.VolumeZoneMismatch(var volume) ->
                    "volume %s in another zone".formatted(volume);
            case Rejection.NodeNameMismatch _,
                    Rejection.PortTaken _,
                    Rejection.ClaimNotOnNode _,
                    Rejection.NodeOperationsNotSkippable _,
                    Rejection.ClaimUnusable _,
                    Rejection.MappedClaimInUse _,
                    Rejection.PodLevelResourcesTooLow _,
                    Rejection.NoVolumeToBind _,
                    Rejection.VolumeInUse _,
                    Rejection.NoDevices _,
                    Rejection.Undecided _,
                    Rejection.Fault _ ->
                    describe(reason);
        };
    }

    private static String insufficientRule(Rejection.Insufficient shortage) {
        if (shortage.isUnknownResource()) {
            return "no %s, and no device class provides it".formatted(shortage.resource());
        }
        return shortage.resource().equals(PODS)
                ? "too many pods"
                : "insufficient " + shortage.resource();
    }

    /// Whether a change to the pod, the node or other objects can remove the reason.
    static boolean isRemovable(Rejection reason) {
        return remedy(reason).isPresent();
    }

    /// The change that removes the reason.
    static Optional<String> remedy(Rejection reason) {
        return switch (reason) {
            case Rejection.Unschedulable _ -> Optional.of("uncordon it");
            case Rejection.UntoleratedTaint(var taint) ->
                    Optional.of("tolerate node taint %s".formatted(format(taint)));
            case Rejection.NodeAffinityMismatch(var label) ->
                    Optional.of(
                            label.map(wanted -> "drop %s from the nodeSelector".formatted(wanted))
                                    .orElse("drop the node affinity"));
            case Rejection.Insufficient shortage -> Optional.of(remedy(shortage));
            case Rejection.PortTaken(var port) -> Optional.of("use a host port other than " + port);
            case Rejection.PodAffinityNotMet(_, var place, var terms) ->
                    place.map(where -> "run a pod %s in %s".formatted(format(terms), where))
                            .or(() -> Optional.of("drop the affinity to pods " + format(terms)));
            case Rejection.PodAntiAffinityViolated(_, var term, _) ->
                    Optional.of("drop the anti-affinity to pods " + format(term));
            case Rejection.ExistingAntiAffinityViolated(var place, var pods) ->
                    Optional.of("move %s away from %s".formatted(pods(pods), place));
            case Rejection.TopologySkewExceeded(var place, var pods, var fewest, _) ->
                    Optional.of(
                            "raise maxSkew over %s to %d".formatted(place.key(), pods - fewest));
            case Rejection.TopologyLabelMissing(var key) -> Optional.of("add label " + key);
            case Rejection.VolumeNodeAffinityMismatch(var volume) ->
                    Optional.of("use a volume other than " + volume);
            case Rejection.VolumeZoneMismatch(var volume) ->
                    Optional.of("use a volume other than " + volume);
            case Rejection.NoVolumeToBind(var claim) ->
                    Optional.of("provide a volume for volume claim %s".formatted(claim));
            case Rejection.VolumeInUse(var claim) ->
                    Optional.of("delete the pod that uses volume claim %s".formatted(claim));
            case Rejection.ClaimNotOnNode(var claim) ->
                    Optional.of("deallocate claim %s".formatted(claim));
            case Rejection.NodeOperationsNotSkippable _ ->
                    Optional.of("run a kubelet that declares " + NodeStatus.OPTIONAL_OPERATIONS);
            case Rejection.ClaimUnusable unusable ->
                    Optional.of(UnusableClaimText.remedy(unusable));
            case Rejection.MappedClaimInUse(var claim) ->
                    Optional.of("delete the pod that uses claim %s".formatted(claim));
            case Rejection.PodLevelResourcesTooLow(var resource, var isLimit, _) ->
                    Optional.of(
                            "raise the pod-level %s of %s"
                                    .formatted(isLimit ? "limit" : "request", resource));
            case Rejection.NodeNameMismatch _,
                    Rejection.NoDevices _,
                    Rejection.Undecided _,
                    Rejection.Fault _ ->
                    Optional.empty();
        };
    }

    private static String remedy(Rejection.Insufficient shortage) {
        return shortage.resource().equals(PODS)
                ? "remove a pod from it"
                : "free or add %s of %s".formatted(missing(shortage), shortage.resource());
    }

    private static Quantity missing(Rejection.Insufficient shortage) {
        return shortage.requested().minus(shortage.left());
    }

    /// Whether the reason can go away without a change to the pod or the node.
    static boolean mayResolve(Rejection reason) {
        return resolvingEvent(reason).isPresent();
    }

    /// The event that removes the reason without a change to the pod or the node.
    static Optional<String> resolvingEvent(Rejection reason) {
        return switch (reason) {
            case Rejection.Insufficient shortage ->
                    shortage.requested().compareTo(shortage.total()) > 0
                            ? Optional.empty()
                            : Optional.of(
                                    shortage.resource().equals(PODS)
                                            ? "a pod on it ends"
                                            : "%s more of %s is free"
                                                    .formatted(
                                                            missing(shortage),
                                                            shortage.resource()));
            case Rejection.PortTaken(var port) -> Optional.of("port %d is free".formatted(port));
            case Rejection.PodAffinityNotMet(_, var place, var terms) ->
                    place.map(where -> "a pod %s is in %s".formatted(format(terms), where));
            case Rejection.PodAntiAffinityViolated(var place, var term, _) ->
                    Optional.of("no pods %s are in %s".formatted(format(term), place));
            case Rejection.ExistingAntiAffinityViolated(var place, _) ->
                    Optional.of("no pods with anti-affinity to this pod are in " + place);
            case Rejection.TopologySkewExceeded(var place, _, _, _) ->
                    Optional.of("pods are spread more evenly over " + place.key());
            case Rejection.VolumeInUse(var claim) ->
                    Optional.of("no pod uses volume claim %s".formatted(claim));
            case Rejection.ClaimUnusable unusable ->
                    Optional.of(UnusableClaimText.resolvingEvent(unusable));
            case Rejection.MappedClaimInUse(var claim) ->
                    Optional.of("no pod uses claim %s".formatted(claim));
            case Rejection.NodeNameMismatch _,
                    Rejection.Unschedulable _,
                    Rejection.UntoleratedTaint _,
                    Rejection.NodeAffinityMismatch _,
                    Rejection.TopologyLabelMissing _,
                    Rejection.PodLevelResourcesTooLow _,
                    Rejection.VolumeNodeAffinityMismatch _,
                    Rejection.VolumeZoneMismatch _,
                    Rejection.NoVolumeToBind _,
                    Rejection.ClaimNotOnNode _,
                    Rejection.NodeOperationsNotSkippable _,
                    Rejection.NoDevices _,
                    Rejection.Undecided _,
                    Rejection.Fault _ ->
                    Optional.empty();
        };
    }

    private static String are(long pods) {
        return pods == 1 ? "1 is" : pods + " are";
    }

    private static String pods(long pods) {
        return pods == 1 ? "1 pod" : pods + " pods";
    }

    private static String format(NodeTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }

    private static String format(List<AffinityTerm> terms) {
        return terms.stream()
                .map(RejectionText::format)
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    /// `app=db`, with the namespaces when they need not be the pod's own.
    private static String format(AffinityTerm term) {
        var labels = term.labelSelector().map(RejectionText::format).orElse("(none)");
        if (term.namespaceSelector().isPresent()) {
            var selected = term.namespaceSelector().map(RejectionText::format).orElse("");
            return labels + " in namespaces with " + selected;
        }
        return term.namespaces().size() > 1
                ? labels + " in namespaces " + String.join(", ", term.namespaces())
                : labels;
    }

    private static String format(LabelSelector selector) {
        var parts = new ArrayList<String>();
        selector.matchLabels()
                .forEach((key, value) -> parts.add(new TopologyDomain(key, value).toString()));
        selector.matchExpressions().forEach(one -> parts.add(format(one)));
        return parts.isEmpty() ? "(any)" : String.join(",", parts);
    }

    private static String format(NodeSelectorRequirement requirement) {
        var key = requirement.key();
        var values = "(" + String.join(", ", requirement.values()) + ")";
        return switch (requirement.operator()) {
            case NodeSelectorOperator.Known known ->
                    switch (known) {
                        case IN -> key + " in " + values;
                        case NOT_IN -> key + " not in " + values;
                        case EXISTS -> key;
                        case DOES_NOT_EXIST -> "!" + key;
                        case GT -> key + " > " + values;
                        case LT -> key + " < " + values;
                    };
            case NodeSelectorOperator.Unrecognised(var text) -> key + " " + text + " " + values;
        };
    }
}
