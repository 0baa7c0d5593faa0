package dev.berth.core.explain.finding;

import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.core.place.ClaimUnusable;
import dev.berth.core.place.NodeResourcesOfDevicesShort;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.core.place.filter.DynamicResourcesFilter;
import dev.berth.core.place.filter.InterPodAffinityFilter;
import dev.berth.core.place.filter.NodeAffinityFilter;
import dev.berth.core.place.filter.NodePortsFilter;
import dev.berth.core.place.filter.NodeResourcesFitFilter.Insufficient;
import dev.berth.core.place.filter.NodeUnschedulableFilter;
import dev.berth.core.place.filter.PodTopologySpreadFilter;
import dev.berth.core.place.filter.TaintTolerationFilter.UntoleratedTaint;
import dev.berth.core.place.filter.VolumeBindingFilter;
import dev.berth.core.place.filter.VolumeRestrictionsFilter;
import dev.berth.core.place.filter.VolumeZoneFilter;
import dev.berth.core.taint.NodeTaints;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/// Finds the field of the pod, of a node or of another object that rules out nodes.
///
/// Nodes are grouped by the set of rules that reject them; the smallest set that rules out the most
/// nodes comes first, since it needs the fewest changes.
public final class RejectionFindings {

    /// Taints that the node lifecycle controller sets; a toleration is no correction for these.
    private static final String LIFECYCLE_TAINT = "node.kubernetes.io/";

    /// Nodes with this taint are not meant for ordinary pods.
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

    private final ExplainInputs inputs;
    private final ChangeTargets targets;

    public RejectionFindings(ExplainInputs inputs) {
        this.inputs = inputs;
        this.targets = new ChangeTargets(inputs);
    }

    /// Nodes that the same rules reject.
    private record Group(List<Rejection> rejections, List<NodeReport> nodes) {

        /// Sets of rules that a user is least likely to mean come last.
        int unlikeliness() {
            var isControlPlane =
                    rejections.stream()
                            .anyMatch(one ->
                                    one instanceof UntoleratedTaint(var taint)
                                            && taint.key().equals(CONTROL_PLANE));
            if (isControlPlane) {
                return 2;
            }
            // The devices of an allocated claim do not move.
            return rejections.stream()
                            .anyMatch(DynamicResourcesFilter.UnavailableClaim.class::isInstance)
                    ? 1
                    : 0;
        }
    }

    /// The findings of ruled-out nodes; those with the fewest changes on the most nodes first.
    ///
    /// @param all all ruled-out nodes, which count for a finding
    public List<Finding> of(List<NodeReport> ruledOut, List<NodeReport> all) {
        var groups = new LinkedHashMap<List<String>, Group>();
        for (var node : ruledOut) {
            var rules = node.rejections().stream().map(Rejection::rule).distinct().toList();
            groups.computeIfAbsent(rules, _ -> new Group(node.rejections(), new ArrayList<>()))
                    .nodes
                    .add(node);
        }
        var found = new ArrayList<Finding>();
        groups.values().stream()
                .sorted(
                        Comparator.comparingInt(Group::unlikeliness)
                                .thenComparingInt(group -> group.rejections.size())
                                .thenComparingInt(group -> -group.nodes.size()))
                .forEach(group ->
                        group.rejections.forEach(one -> found.add(finding(one, with(one, all)))));
        return found.stream().distinct().toList();
    }

    /// The nodes that a rule rejects.
    private static List<NodeReport> with(Rejection rejection, List<NodeReport> nodes) {
        return nodes.stream()
                .filter(node ->
                        node.rejections().stream()
                                .anyMatch(one -> one.rule().equals(rejection.rule())))
                .sorted(
                        Comparator.comparing((NodeReport node) -> node.missing() > 0)
                                .thenComparing(node ->
                                        node.rejections().stream()
                                                .anyMatch(
                                                        DynamicResourcesFilter.UnavailableClaim
                                                                        .class
                                                                ::isInstance))
                                .thenComparing(NodeReport::node))
                .toList();
    }

    /// The fields to change so that a node is no longer ruled out.
    public List<ObjectField> targets(String node, List<Rejection> reasons) {
        var report =
                new NodeReport(
                        node, reasons, Optional.empty(), false, List.of(), List.of(), List.of());
        return reasons.stream()
                .map(reason -> finding(reason, List.of(report)).target())
                .distinct()
                .toList();
    }

    private Finding finding(Rejection rejection, List<NodeReport> nodes) {
        return switch (rejection) {
            case NodeUnschedulableFilter.Unschedulable _ -> cordoned(nodes);
            case UntoleratedTaint(var taint) -> tainted(taint, nodes);
            case NodeAffinityFilter.NodeAffinityMismatch(var label) ->
                    new NodeAffinityFindings(inputs).of(label, nodes);
            case NodePortsFilter.PortTaken(var port) ->
                    new Finding(
                            targets.pod("hostPort %d".formatted(port), "spec.containers[].ports"),
                            "the port is in use on %s".formatted(count(nodes)));
            case Insufficient(var resource, _, _, _) -> insufficient(resource, nodes);
            case PodTopologySpreadFilter.TopologySkewExceeded _,
                    PodTopologySpreadFilter.TopologyLabelMissing _ ->
                    onPod("spec.topologySpreadConstraints", rejection, nodes);
            case InterPodAffinityFilter.PodAffinityNotMet _ ->
                    onPod("spec.affinity.podAffinity", rejection, nodes);
            case InterPodAffinityFilter.PodAntiAffinityViolated _ ->
                    onPod("spec.affinity.podAntiAffinity", rejection, nodes);
            case VolumeBindingFilter.NoVolumeToBind(var claim) -> volumeClaim(claim, rejection);
            case VolumeRestrictionsFilter.VolumeInUse(var claim) -> volumeClaim(claim, rejection);
            case VolumeBindingFilter.VolumeNodeAffinityMismatch(var volume) ->
                    volume(volume, rejection, nodes);
            case VolumeZoneFilter.VolumeZoneMismatch(var volume) ->
                    volume(volume, rejection, nodes);
            case ClaimUnusable(var claim, var cause) ->
                    new Finding(
                            ObjectField.of(
                                    "ResourceClaim",
                                    claim,
                                    cause instanceof UnusableClaim.ReservationsFull
                                            ? "status.reservedFor"
                                            : "status.allocation"),
                            rejection.description().replaceFirst("^claim [^ ]+", "the claim"),
                            rejection.remedy().orElse(""));
            case DynamicResourcesFilter.UnavailableClaim unavailable ->
                    new Finding(
                            new ObjectField(
                                    "ResourceClaim",
                                    unavailable.claim(),
                                    "status.allocation",
                                    "status.allocation"),
                            allocated(unavailable.claim(), nodes));
            case NodeResourcesOfDevicesShort devices -> devicesShort(devices, nodes);
            case Rejection.Fault(var message, _) -> fault(message);
            default -> onPod("spec", rejection, nodes);
        };
    }

    /// Where the devices of an allocated claim are.
    private String allocated(ObjectRef claim, List<NodeReport> nodes) {
        var node =
                inputs.holders().stream()
                        .filter(holder -> holder.ref().equals(claim))
                        .findFirst()
                        .flatMap(holder -> holder.status().allocation())
                        .flatMap(allocation -> allocation.nodeSelector())
                        .flatMap(NodeSelectorText::onlyNode);
        if (node.isEmpty()) {
            return "its devices are not available on " + count(nodes);
        }
        return inputs.nodes().stream().map(Node::name).anyMatch(node.get()::equals)
                ? "its devices are on node %s and not available on %s"
                        .formatted(node.get(), count(nodes))
                : "its devices are on node %s, which does not exist".formatted(node.get());
    }

    /// `3 nodes`, or `node a`.
    private static String count(List<NodeReport> nodes) {
        return nodes.size() == 1
                ? "node " + nodes.getFirst().node()
                : "%d nodes".formatted(nodes.size());
    }

    private static String withoutSubject(String text, String subject) {
        return text.startsWith(subject) ? text.substring(subject.length()) : text;
    }

    private Finding onPod(String field, Rejection rejection, List<NodeReport> nodes) {
        return new Finding(targets.pod(field), "%s (%s)".formatted(rejection.rule(), count(nodes)));
    }

    private static Finding cordoned(List<NodeReport> nodes) {
        var first = nodes.getFirst().node();
        return new Finding(
                ObjectField.ofNode(first, "spec.unschedulable"),
                "the node%s cordoned".formatted(andOthers(nodes)),
                "kubectl uncordon " + first);
    }

    private static String andOthers(List<NodeReport> nodes) {
        return switch (nodes.size()) {
            case 1 -> " is";
            case 2 -> " and 1 other are";
            default -> " and %d others are".formatted(nodes.size() - 1);
        };
    }

    private Finding tainted(NodeTaint taint, List<NodeReport> nodes) {
        var first = nodes.getFirst().node();
        if (taint.key().startsWith(LIFECYCLE_TAINT)) {
            return new Finding(
                    ObjectField.ofNode(first, "spec.taints"),
                    "the node%s tainted %s".formatted(andOthers(nodes), NodeTaints.format(taint)),
                    "see kubectl describe node " + first);
        }
        return new Finding(
                targets.pod("spec.tolerations"),
                "%s %s taint %s, which the pod does not tolerate"
                        .formatted(
                                count(nodes),
                                nodes.size() == 1 ? "has" : "have",
                                NodeTaints.format(taint)));
    }

    private Finding insufficient(String resource, List<NodeReport> nodes) {
        var all =
                nodes.stream()
                        .flatMap(node -> node.rejections().stream())
                        .filter(Insufficient.class::isInstance)
                        .map(Insufficient.class::cast)
                        .filter(one -> one.resource().equals(resource))
                        .toList();
        var requested = all.getFirst().requested();
        if (resource.equals("pods")) {
            return new Finding(
                    ObjectField.ofNode(nodes.getFirst().node(), "status.allocatable[pods]"),
                    "%s full: the limit of pods is reached"
                            .formatted(count(nodes) + (nodes.size() == 1 ? " is" : " are")));
        }
        var target = targets.resource(targets.containers(resource), resource);
        var total =
                all.stream().map(Insufficient::total).max(Comparator.naturalOrder()).orElseThrow();
        if (total.signum() == 0 && resource.contains("/")) {
            return new Finding(
                    target,
                    "no node and no DeviceClass provides it",
                    SpellingSuggestions.nearest(resource, resourceNames())
                            .map("did you mean %s?"::formatted)
                            .orElse(""));
        }
        var left =
                all.stream().map(Insufficient::left).max(Comparator.naturalOrder()).orElseThrow();
        return new Finding(target, shortage(requested, left, total, nodes) + limitRange(resource));
    }

    /// Other nodes may have enough and be ruled out otherwise.
    private String shortage(
            Quantity requested, Quantity left, Quantity total, List<NodeReport> nodes) {
        var isEverywhere = nodes.size() == inputs.nodes().size();
        if (requested.compareTo(total) > 0) {
            return isEverywhere
                    ? "%s requested, no node has more than %s".formatted(requested, total)
                    : "%s requested, %s without more than %s"
                            .formatted(requested, count(nodes), total);
        }
        return "%s requested, at most %s is free on %s"
                .formatted(requested, left, isEverywhere ? "a node" : count(nodes));
    }

    /// Says when the request is the default of a LimitRange rather than written in the pod.
    private String limitRange(String resource) {
        return inputs.pod()
                .map(pod -> pod.metadata().annotations().get("kubernetes.io/limit-ranger"))
                .filter(text -> text.contains(resource + " request"))
                .map(_ -> " (the default of a LimitRange)")
                .orElse("");
    }

    /// The extended resources that nodes or classes provide.
    private List<String> resourceNames() {
        var names = new TreeSet<String>();
        inputs.nodes().stream()
                .map(Node::status)
                .flatMap(status -> status.allocatable().keySet().stream())
                .filter(name -> name.contains("/"))
                .forEach(names::add);
        inputs.classes().forEach(one -> one.spec().extendedResourceName().ifPresent(names::add));
        return List.copyOf(names);
    }

    private static Finding volumeClaim(ObjectRef claim, Rejection rejection) {
        return new Finding(
                new ObjectField("PersistentVolumeClaim", claim, "", "spec"),
                withoutSubject(rejection.description(), ""),
                rejection.remedy().orElse(""));
    }

    private static Finding volume(String volume, Rejection rejection, List<NodeReport> nodes) {
        return new Finding(
                new ObjectField(
                        "PersistentVolume",
                        new ObjectRef("", volume),
                        "spec.nodeAffinity",
                        "spec.nodeAffinity"),
                "not accessible from %s".formatted(count(nodes)),
                rejection.remedy().orElse(""));
    }

    /// Node resources that the devices of the pod consume, in addition to those of its containers.
    private Finding devicesShort(NodeResourcesOfDevicesShort rejection, List<NodeReport> nodes) {
        return new Finding(
                inputs.claims().stream()
                        .findFirst()
                        .map(claim ->
                                targets.claim(claim.ref(), "requests", "spec.devices.requests"))
                        .orElseGet(() -> targets.pod("spec.resourceClaims")),
                "its devices consume node resources: %s on %s"
                        .formatted(rejection.cause().description(), count(nodes)));
    }

    private Finding fault(String message) {
        var lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("storageclass")) {
            return volumes("spec.storageClassName", message);
        }
        return lower.contains("persistentvolume")
                ? volumes("spec", message)
                : new Finding(targets.pod("spec"), message);
    }

    /// A problem of the volume claim of the pod; of `spec.volumes` if it has several.
    private Finding volumes(String field, String message) {
        var claims =
                inputs.pod().stream()
                        .flatMap(pod -> pod.spec().volumes().stream())
                        .map(one -> one.objectOrEmpty("persistentVolumeClaim").text("claimName"))
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList();
        if (claims.size() != 1
                || message.endsWith("\"%s\" not found".formatted(claims.getFirst()))) {
            return new Finding(targets.pod("spec.volumes"), message);
        }
        var namespace = inputs.pod().map(pod -> pod.metadata().namespace()).orElse("");
        return new Finding(
                new ObjectField(
                        "PersistentVolumeClaim",
                        new ObjectRef(namespace, claims.getFirst()),
                        field.equals("spec") ? "" : field,
                        field),
                message);
    }
}
