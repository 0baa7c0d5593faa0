package dev.berth.core.explain;

import dev.berth.core.place.Domain;
import dev.berth.core.place.PodTerm;
import dev.berth.core.place.Reason;
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
final class Objections {

    private static final String PODS = "pods";

    private Objections() {}

    /// What is wrong with one node, with values.
    static String words(Reason reason) {
        return switch (reason) {
            case Reason.OtherNode(var named) -> "the pod is bound to node " + named;
            case Reason.Unschedulable _ -> "the node is unschedulable";
            case Reason.Tainted(var taint) ->
                    "the pod does not tolerate node taint " + shown(taint);
            case Reason.NotSelected(var label) ->
                    label.map(wanted -> "the pod's nodeSelector wants " + wanted)
                            .orElse("the pod's node affinity does not match");
            case Reason.Insufficient few -> insufficient(few);
            case Reason.PortTaken(var port) -> "port %d of the node is taken".formatted(port);
            case Reason.NoWantedPods(var key, var place, var terms) ->
                    "the pod must be with pods %s, %s"
                            .formatted(
                                    shown(terms),
                                    place.map(where -> "none are in " + where)
                                            .orElse("and the node has no label " + key));
            case Reason.UnwantedPods(var place, var term, var pods) ->
                    "the pod keeps away from pods %s, %s in %s"
                            .formatted(shown(term), are(pods), place);
            case Reason.UnwillingPods(var place, var pods) ->
                    "%s in %s %s away from the pod"
                            .formatted(pods(pods), place, pods == 1 ? "keeps" : "keep");
            case Reason.Uneven(var place, var pods, var fewest, var maxSkew) ->
                    ("%s would have %s that are to be spread, at most %d may be: %d where fewest"
                                    + " are, maxSkew %d")
                            .formatted(place, pods(pods), fewest + maxSkew, fewest, maxSkew);
            case Reason.NoSpreadLabel(var key) ->
                    "the pod is to be spread over %s, and the node has no such label"
                            .formatted(key);
            case Reason.ClaimElsewhere(var claim) ->
                    "claim %s has devices that it cannot reach".formatted(claim);
            case Reason.CannotSkip(var claim, var device) ->
                    ("claim %s has device %s, for which nodes skip operations, and the node does"
                                    + " not declare %s")
                            .formatted(claim, device, NodeStatus.OPTIONAL_OPERATIONS);
            case Reason.ClaimUnusable unusable -> ClaimTroubles.words(unusable);
            case Reason.MappedClaim(var claim) ->
                    "claim %s stands for a part of the node and is another pod's".formatted(claim);
            case Reason.Uncovered(var resource, var isLimit, _) ->
                    "the pod as a whole has too low a %s of %s for its containers and devices"
                            .formatted(isLimit ? "limit" : "request", resource);
            case Reason.VolumeElsewhere _,
                    Reason.VolumeZone _,
                    Reason.NoVolume _,
                    Reason.VolumeInUse _ ->
                    volume(reason);
            case Reason.NoDevices _, Reason.Undecided _, Reason.Fault _ -> reason.text();
        };
    }

    private static String insufficient(Reason.Insufficient few) {
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

    private static String volume(Reason reason) {
        return switch (reason) {
            case Reason.VolumeElsewhere(var volume) ->
                    "the node cannot reach volume %s of the pod".formatted(volume);
            case Reason.VolumeZone(var volume) ->
                    "volume %s of the pod is in another zone".formatted(volume);
            case Reason.NoVolume(var claim) ->
                    "there is no volume for volume claim %s, and none can be made".formatted(claim);
            case Reason.VolumeInUse(var claim) ->
                    "another pod uses volume claim %s, which is for one pod only".formatted(claim);
            default -> reason.text();
        };
    }

    /// The rule by which nodes are ruled out, without what differs between them.
    static String rule(Reason reason) {
        return switch (reason) {
            case Reason.Unschedulable _ -> "unschedulable";
            case Reason.Tainted(var taint) -> "untolerated taint " + shown(taint);
            case Reason.NotSelected(var label) ->
                    label.map(wanted -> "nodeSelector " + wanted).orElse("node affinity");
            case Reason.Insufficient few -> tooLittle(few);
            case Reason.NoWantedPods(var key, _, var terms) ->
                    "affinity to pods %s by %s".formatted(shown(terms), key);
            case Reason.UnwantedPods(var place, var term, _) ->
                    "anti-affinity to pods %s by %s".formatted(shown(term), place.key());
            case Reason.UnwillingPods(var place, _) ->
                    "anti-affinity of other pods by " + place.key();
            case Reason.Uneven(var place, _, _, _) -> "spread over " + place.key();
            case Reason.NoSpreadLabel(var key) -> "no label %s to spread over".formatted(key);
            case Reason.VolumeElsewhere(var volume) -> "volume %s out of reach".formatted(volume);
            case Reason.VolumeZone(var volume) -> "volume %s in another zone".formatted(volume);
            case Reason.OtherNode _,
                    Reason.PortTaken _,
                    Reason.ClaimElsewhere _,
                    Reason.CannotSkip _,
                    Reason.ClaimUnusable _,
                    Reason.MappedClaim _,
                    Reason.Uncovered _,
                    Reason.NoVolume _,
                    Reason.VolumeInUse _,
                    Reason.NoDevices _,
                    Reason.Undecided _,
                    Reason.Fault _ ->
                    words(reason);
        };
    }

    private static String tooLittle(Reason.Insufficient few) {
        if (few.isOfNothing()) {
            return "no %s, and no device class stands for it".formatted(few.resource());
        }
        return few.resource().equals(PODS) ? "too many pods" : "too little " + few.resource();
    }

    /// Whether somebody can do something about it, node by node.
    static boolean canGo(Reason reason) {
        return remedy(reason).isPresent();
    }

    /// What somebody would have to do so that the reason is gone.
    static Optional<String> remedy(Reason reason) {
        return switch (reason) {
            case Reason.Unschedulable _ -> Optional.of("make it schedulable");
            case Reason.Tainted(var taint) ->
                    Optional.of("tolerate node taint %s".formatted(shown(taint)));
            case Reason.NotSelected(var label) ->
                    Optional.of(
                            label.map(wanted -> "drop %s from the nodeSelector".formatted(wanted))
                                    .orElse("drop the node affinity"));
            case Reason.Insufficient few ->
                    Optional.of(
                            few.resource().equals(PODS)
                                    ? "remove a pod from it"
                                    : "have %s more of %s there"
                                            .formatted(missing(few), few.resource()));
            case Reason.PortTaken(var port) -> Optional.of("use another port than " + port);
            case Reason.NoWantedPods(_, var place, var terms) ->
                    place.map(where -> "run a pod %s in %s".formatted(shown(terms), where))
                            .or(() -> Optional.of("drop the affinity to pods " + shown(terms)));
            case Reason.UnwantedPods(_, var term, _) ->
                    Optional.of("drop the anti-affinity to pods " + shown(term));
            case Reason.UnwillingPods(var place, var pods) ->
                    Optional.of("move %s away from %s".formatted(pods(pods), place));
            case Reason.Uneven(var place, var pods, var fewest, _) ->
                    Optional.of(
                            "allow a maxSkew of %d over %s".formatted(pods - fewest, place.key()));
            case Reason.NoSpreadLabel(var key) -> Optional.of("give it the label " + key);
            case Reason.VolumeElsewhere(var volume) ->
                    Optional.of("use another volume than " + volume);
            case Reason.VolumeZone(var volume) -> Optional.of("use another volume than " + volume);
            case Reason.NoVolume(var claim) ->
                    Optional.of("offer a volume for volume claim %s there".formatted(claim));
            case Reason.VolumeInUse(var claim) ->
                    Optional.of("end the pod that uses volume claim %s".formatted(claim));
            case Reason.ClaimElsewhere(var claim) ->
                    Optional.of("have claim %s give back its devices".formatted(claim));
            case Reason.CannotSkip _ ->
                    Optional.of("run a kubelet that declares " + NodeStatus.OPTIONAL_OPERATIONS);
            case Reason.ClaimUnusable unusable -> Optional.of(ClaimTroubles.remedy(unusable));
            case Reason.MappedClaim(var claim) ->
                    Optional.of("end the pod that uses claim %s".formatted(claim));
            case Reason.Uncovered(var resource, _, _) ->
                    Optional.of("ask for more %s for the pod as a whole".formatted(resource));
            case Reason.OtherNode _, Reason.NoDevices _, Reason.Undecided _, Reason.Fault _ ->
                    Optional.empty();
        };
    }

    private static Quantity missing(Reason.Insufficient few) {
        return few.asked().minus(few.left());
    }

    /// Whether it may be gone one day without anybody changing the pod or the node.
    static boolean maySubside(Reason reason) {
        return event(reason).isPresent();
    }

    /// What would have to happen by itself so that the reason is gone.
    static Optional<String> event(Reason reason) {
        return switch (reason) {
            case Reason.Insufficient few ->
                    few.asked().compareTo(few.total()) > 0
                            ? Optional.empty()
                            : Optional.of(
                                    few.resource().equals(PODS)
                                            ? "a pod has left it"
                                            : "it has %s more of %s"
                                                    .formatted(missing(few), few.resource()));
            case Reason.PortTaken(var port) -> Optional.of("port %d is free".formatted(port));
            case Reason.NoWantedPods(_, var place, var terms) ->
                    place.map(where -> "a pod %s is in %s".formatted(shown(terms), where));
            case Reason.UnwantedPods(var place, var term, _) ->
                    Optional.of("no pods %s are in %s".formatted(shown(term), place));
            case Reason.UnwillingPods(var place, _) ->
                    Optional.of("no pods that keep away from this one are in " + place);
            case Reason.Uneven(var place, _, _, _) ->
                    Optional.of("pods are spread more evenly over " + place.key());
            case Reason.VolumeInUse(var claim) ->
                    Optional.of("nobody uses volume claim %s".formatted(claim));
            case Reason.ClaimUnusable unusable -> Optional.of(ClaimTroubles.event(unusable));
            case Reason.MappedClaim(var claim) ->
                    Optional.of("nobody uses claim %s".formatted(claim));
            case Reason.OtherNode _,
                    Reason.Unschedulable _,
                    Reason.Tainted _,
                    Reason.NotSelected _,
                    Reason.NoSpreadLabel _,
                    Reason.Uncovered _,
                    Reason.VolumeElsewhere _,
                    Reason.VolumeZone _,
                    Reason.NoVolume _,
                    Reason.ClaimElsewhere _,
                    Reason.CannotSkip _,
                    Reason.NoDevices _,
                    Reason.Undecided _,
                    Reason.Fault _ ->
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

    private static String shown(List<PodTerm> terms) {
        return terms.stream()
                .map(Objections::shown)
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    /// `app=db`, with the namespaces when they need not be the pod's own.
    private static String shown(PodTerm term) {
        var labels = term.labelSelector().map(Objections::shown).orElse("(none)");
        if (term.namespaceSelector().isPresent()) {
            var selected = term.namespaceSelector().map(Objections::shown).orElse("");
            return labels + " in namespaces with " + selected;
        }
        return term.namespaces().size() > 1
                ? labels + " in namespaces " + String.join(", ", term.namespaces())
                : labels;
    }

    private static String shown(LabelSelector selector) {
        var parts = new ArrayList<String>();
        selector.matchLabels()
                .forEach((key, value) -> parts.add(new Domain(key, value).toString()));
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
