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

/// How the reasons for which a pod may not use a node are put into words.
final class RejectionText {

    private static final String PODS = "pods";

    private RejectionText() {}

    /// What is wrong with one node, with values.
    static String words(Rejection reason) {
        return switch (reason) {
            case Rejection.OtherNode(var named) -> "the pod is bound to node " + named;
            case Rejection.Unschedulable _ -> "the node is unschedulable";
            case Rejection.Tainted(var taint) ->
                    "the pod does not tolerate node taint " + shown(taint);
            case Rejection.NotSelected(var label) ->
                    label.map(wanted -> "the pod's nodeSelector wants " + wanted)
                            .orElse("the pod's node affinity does not match");
            case Rejection.Insufficient few -> insufficient(few);
            case Rejection.PortTaken(var port) -> "port %d of the node is taken".formatted(port);
            case Rejection.NoWantedPods(var key, var place, var terms) ->
                    "the pod must be with pods %s, %s"
                            .formatted(
                                    shown(terms),
                                    place.map(where -> "none are in " + where)
                                            .orElse("and the node has no label " + key));
            case Rejection.UnwantedPods(var place, var term, var pods) ->
                    "the pod keeps away from pods %s, %s in %s"
                            .formatted(shown(term), are(pods), place);
            case Rejection.UnwillingPods(var place, var pods) ->
                    "%s in %s %s away from the pod"
                            .formatted(pods(pods), place, pods == 1 ? "keeps" : "keep");
            case Rejection.Uneven(var place, var pods, var fewest, var maxSkew) ->
                    ("%s would have %s that are to be spread, at most %d may be: %d where fewest"
                                    + " are, maxSkew %d")
                            .formatted(place, pods(pods), fewest + maxSkew, fewest, maxSkew);
            case Rejection.NoSpreadLabel(var key) ->
                    "the pod is to be spread over %s, and the node has no such label"
                            .formatted(key);
            case Rejection.ClaimElsewhere(var claim) ->
                    "claim %s has devices that it cannot reach".formatted(claim);
            case Rejection.CannotSkip(var claim, var device) ->
                    ("claim %s has device %s, for which nodes skip operations, and the node does"
                                    + " not declare %s")
                            .formatted(claim, device, NodeStatus.OPTIONAL_OPERATIONS);
            case Rejection.ClaimUnusable unusable -> UnusableClaimText.words(unusable);
            case Rejection.MappedClaim(var claim) ->
                    "claim %s stands for a part of the node and is another pod's".formatted(claim);
            case Rejection.Uncovered(var resource, var isLimit, _) ->
                    "the pod as a whole has too low a %s of %s for its containers and devices"
                            .formatted(isLimit ? "limit" : "request", resource);
            case Rejection.VolumeElsewhere _,
                    Rejection.VolumeZone _,
                    Rejection.NoVolume _,
                    Rejection.VolumeInUse _ ->
                    volume(reason);
            case Rejection.NoDevices _, Rejection.Undecided _, Rejection.Fault _ -> reason.text();
        };
    }

    private static String insufficient(Rejection.Insufficient few) {
        var resource = few.resource();
        if (resource.equals(PODS)) {
            return "all %s places for pods are taken".formatted(few.total());
        }
        if (few.total().signum() > 0) {
            return "the pod asks for %s of %s, left are %s of %s"
                    .formatted(few.asked(), resource, few.left(), few.total());
        }
        return "the pod asks for %s of %s, of which the node has none%s"
                .formatted(
                        few.asked(),
                        resource,
                        few.isOfNothing() ? ", and for which no device class stands" : "");
    }

    private static String volume(Rejection reason) {
        return switch (reason) {
            case Rejection.VolumeElsewhere(var volume) ->
                    "the node cannot reach volume %s of the pod".formatted(volume);
            case Rejection.VolumeZone(var volume) ->
                    "volume %s of the pod is in another zone".formatted(volume);
            case Rejection.NoVolume(var claim) ->
                    "there is no volume for volume claim %s, and none can be made".formatted(claim);
            case Rejection.VolumeInUse(var claim) ->
                    "another pod uses volume claim %s, which is for one pod only".formatted(claim);
            default -> reason.text();
        };
    }

    /// The rule by which nodes are ruled out, without what differs between them.
    static String rule(Rejection reason) {
        return switch (reason) {
            case Rejection.Unschedulable _ -> "unschedulable";
            case Rejection.Tainted(var taint) -> "untolerated taint " + shown(taint);
            case Rejection.NotSelected(var label) ->
                    label.map(wanted -> "nodeSelector " + wanted).orElse("node affinity");
            case Rejection.Insufficient few -> tooLittle(few);
            case Rejection.NoWantedPods(var key, _, var terms) ->
                    "affinity to pods %s by %s".formatted(shown(terms), key);
            case Rejection.UnwantedPods(var place, var term, _) ->
                    "anti-affinity to pods %s by %s".formatted(shown(term), place.key());
            case Rejection.UnwillingPods(var place, _) ->
                    "anti-affinity of other pods by " + place.key();
            case Rejection.Uneven(var place, _, _, _) -> "spread over " + place.key();
            case Rejection.NoSpreadLabel(var key) -> "no label %s to spread over".formatted(key);
            case Rejection.VolumeElsewhere(var volume) ->
                    "volume %s out of reach".formatted(volume);
            case Rejection.VolumeZone(var volume) -> "volume %s in another zone".formatted(volume);
            case Rejection.OtherNode _,
                    Rejection.PortTaken _,
                    Rejection.ClaimElsewhere _,
                    Rejection.CannotSkip _,
                    Rejection.ClaimUnusable _,
                    Rejection.MappedClaim _,
                    Rejection.Uncovered _,
                    Rejection.NoVolume _,
                    Rejection.VolumeInUse _,
                    Rejection.NoDevices _,
                    Rejection.Undecided _,
                    Rejection.Fault _ ->
                    words(reason);
        };
    }

    private static String tooLittle(Rejection.Insufficient few) {
        if (few.isOfNothing()) {
            return "no %s, and no device class stands for it".formatted(few.resource());
        }
        return few.resource().equals(PODS) ? "too many pods" : "too little " + few.resource();
    }

    /// Whether somebody can do something about it, node by node.
    static boolean canGo(Rejection reason) {
        return remedy(reason).isPresent();
    }

    /// What somebody would have to do so that the reason is gone.
    static Optional<String> remedy(Rejection reason) {
        return switch (reason) {
            case Rejection.Unschedulable _ -> Optional.of("make it schedulable");
            case Rejection.Tainted(var taint) ->
                    Optional.of("tolerate node taint %s".formatted(shown(taint)));
            case Rejection.NotSelected(var label) ->
                    Optional.of(
                            label.map(wanted -> "drop %s from the nodeSelector".formatted(wanted))
                                    .orElse("drop the node affinity"));
            case Rejection.Insufficient few ->
                    Optional.of(
                            few.resource().equals(PODS)
                                    ? "remove a pod from it"
                                    : "have %s more of %s there"
                                            .formatted(missing(few), few.resource()));
            case Rejection.PortTaken(var port) -> Optional.of("use another port than " + port);
            case Rejection.NoWantedPods(_, var place, var terms) ->
                    place.map(where -> "run a pod %s in %s".formatted(shown(terms), where))
                            .or(() -> Optional.of("drop the affinity to pods " + shown(terms)));
            case Rejection.UnwantedPods(_, var term, _) ->
                    Optional.of("drop the anti-affinity to pods " + shown(term));
            case Rejection.UnwillingPods(var place, var pods) ->
                    Optional.of("move %s away from %s".formatted(pods(pods), place));
            case Rejection.Uneven(var place, var pods, var fewest, _) ->
                    Optional.of(
                            "allow a maxSkew of %d over %s".formatted(pods - fewest, place.key()));
            case Rejection.NoSpreadLabel(var key) -> Optional.of("give it the label " + key);
            case Rejection.VolumeElsewhere(var volume) ->
                    Optional.of("use another volume than " + volume);
            case Rejection.VolumeZone(var volume) ->
                    Optional.of("use another volume than " + volume);
            case Rejection.NoVolume(var claim) ->
                    Optional.of("offer a volume for volume claim %s there".formatted(claim));
            case Rejection.VolumeInUse(var claim) ->
                    Optional.of("end the pod that uses volume claim %s".formatted(claim));
            case Rejection.ClaimElsewhere(var claim) ->
                    Optional.of("have claim %s give back its devices".formatted(claim));
            case Rejection.CannotSkip _ ->
                    Optional.of("run a kubelet that declares " + NodeStatus.OPTIONAL_OPERATIONS);
            case Rejection.ClaimUnusable unusable ->
                    Optional.of(UnusableClaimText.remedy(unusable));
            case Rejection.MappedClaim(var claim) ->
                    Optional.of("end the pod that uses claim %s".formatted(claim));
            case Rejection.Uncovered(var resource, _, _) ->
                    Optional.of("ask for more %s for the pod as a whole".formatted(resource));
            case Rejection.OtherNode _,
                    Rejection.NoDevices _,
                    Rejection.Undecided _,
                    Rejection.Fault _ ->
                    Optional.empty();
        };
    }

    private static Quantity missing(Rejection.Insufficient few) {
        return few.asked().minus(few.left());
    }

    /// Whether it may be gone one day without anybody changing the pod or the node.
    static boolean maySubside(Rejection reason) {
        return event(reason).isPresent();
    }

    /// What would have to happen by itself so that the reason is gone.
    static Optional<String> event(Rejection reason) {
        return switch (reason) {
            case Rejection.Insufficient few ->
                    few.asked().compareTo(few.total()) > 0
                            ? Optional.empty()
                            : Optional.of(
                                    few.resource().equals(PODS)
                                            ? "a pod has left it"
                                            : "it has %s more of %s"
                                                    .formatted(missing(few), few.resource()));
            case Rejection.PortTaken(var port) -> Optional.of("port %d is free".formatted(port));
            case Rejection.NoWantedPods(_, var place, var terms) ->
                    place.map(where -> "a pod %s is in %s".formatted(shown(terms), where));
            case Rejection.UnwantedPods(var place, var term, _) ->
                    Optional.of("no pods %s are in %s".formatted(shown(term), place));
            case Rejection.UnwillingPods(var place, _) ->
                    Optional.of("no pods that keep away from this one are in " + place);
            case Rejection.Uneven(var place, _, _, _) ->
                    Optional.of("pods are spread more evenly over " + place.key());
            case Rejection.VolumeInUse(var claim) ->
                    Optional.of("nobody uses volume claim %s".formatted(claim));
            case Rejection.ClaimUnusable unusable -> Optional.of(UnusableClaimText.event(unusable));
            case Rejection.MappedClaim(var claim) ->
                    Optional.of("nobody uses claim %s".formatted(claim));
            case Rejection.OtherNode _,
                    Rejection.Unschedulable _,
                    Rejection.Tainted _,
                    Rejection.NotSelected _,
                    Rejection.NoSpreadLabel _,
                    Rejection.Uncovered _,
                    Rejection.VolumeElsewhere _,
                    Rejection.VolumeZone _,
                    Rejection.NoVolume _,
                    Rejection.ClaimElsewhere _,
                    Rejection.CannotSkip _,
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

    private static String shown(NodeTaint taint) {
        var value = taint.value().isEmpty() ? "" : "=" + taint.value();
        return taint.key() + value + ":" + taint.effect().text();
    }

    private static String shown(List<AffinityTerm> terms) {
        return terms.stream()
                .map(RejectionText::shown)
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    /// `app=db`, with the namespaces when they need not be the pod's own.
    private static String shown(AffinityTerm term) {
        var labels = term.labelSelector().map(RejectionText::shown).orElse("(none)");
        if (term.namespaceSelector().isPresent()) {
            var selected = term.namespaceSelector().map(RejectionText::shown).orElse("");
            return labels + " in namespaces with " + selected;
        }
        return term.namespaces().size() > 1
                ? labels + " in namespaces " + String.join(", ", term.namespaces())
                : labels;
    }

    private static String shown(LabelSelector selector) {
        var parts = new ArrayList<String>();
        selector.matchLabels()
                .forEach((key, value) -> parts.add(new TopologyDomain(key, value).toString()));
        selector.matchExpressions().forEach(one -> parts.add(shown(one)));
        return parts.isEmpty() ? "(any)" : String.join(",", parts);
    }

    private static String shown(NodeSelectorRequirement requirement) {
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
