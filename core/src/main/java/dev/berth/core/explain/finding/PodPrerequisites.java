package dev.berth.core.explain.finding;

import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodClaimReferences.Resolution;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds what a pod waits for regardless of nodes: claims and templates that do not exist, claims
/// that cannot be created, scheduling gates, a scheduler that does not exist.
public final class PodPrerequisites {

    private static final String OF_DEVICE_CLASS = ".deviceclass.resource.k8s.io/devices";
    private static final String CLAIM_COUNT = "count/resourceclaims.resource.k8s.io";
    private static final String ADMIN_ACCESS = "resource.kubernetes.io/admin-access";

    /// The number of devices that a quota charges for allocation mode All.
    private static final long ALL_DEVICES = 32;

    /// Time in which a scheduler binds or reports a new pod.
    private static final Duration REACTION_TIME = Duration.ofMinutes(1);

    private final ClusterObjects cluster;
    private final Instant now;
    private final Pod pod;
    private final List<Finding> found = new ArrayList<>();

    private PodPrerequisites(ClusterObjects cluster, Instant now, Pod pod) {
        this.cluster = cluster;
        this.now = now;
        this.pod = pod;
    }

    public static List<Finding> of(ClusterObjects cluster, Instant now, Pod pod) {
        var prerequisites = new PodPrerequisites(cluster, now, pod);
        if (pod.spec().nodeName().isEmpty()) {
            prerequisites.addClaims();
            prerequisites.addGates();
            prerequisites.addScheduler();
        }
        prerequisites.addContainerRequests();
        return List.copyOf(prerequisites.found);
    }

    private ObjectField field(String path) {
        return ObjectField.of("Pod", pod.ref(), path);
    }

    private void add(ObjectField target, String problem, String correction) {
        found.add(new Finding(target, problem, correction));
    }

    private void addClaims() {
        for (var entry : pod.spec().resourceClaims()) {
            switch (PodClaimReferences.resolve(pod, entry)) {
                case Resolution.Named(var claim, _) -> addNamed(entry, claim);
                case Resolution.NotCreated(var template) -> addNotCreated(entry, template);
                case Resolution.NotNeeded _ -> {}
                case Resolution.Unsupported _ ->
                        add(
                                field("spec.resourceClaims[%s]".formatted(entry.name())),
                                "neither resourceClaimName nor resourceClaimTemplateName is set",
                                "");
            }
        }
    }

    private void addNamed(PodResourceClaim entry, ObjectRef ref) {
        var claim = cluster.claims().stream().filter(one -> one.ref().equals(ref)).findFirst();
        if (claim.filter(one -> one.metadata().isDeleting()).isPresent()) {
            add(
                    ObjectField.of("ResourceClaim", ref, "metadata.deletionTimestamp"),
                    "it is being deleted",
                    "create it again once it is gone");
        }
        if (claim.isEmpty()) {
            add(
                    field("spec.resourceClaims[%s].resourceClaimName".formatted(entry.name())),
                    "ResourceClaim %s does not exist".formatted(ref),
                    similarClaim(ref));
        }
    }

    private String similarClaim(ObjectRef ref) {
        if (cluster.templates().stream().anyMatch(template -> template.ref().equals(ref))) {
            return "a ResourceClaimTemplate has this name: use resourceClaimTemplateName";
        }
        var elsewhere =
                cluster.claims().stream()
                        .map(claim -> claim.ref())
                        .filter(other -> other.name().equals(ref.name()))
                        .findFirst();
        if (elsewhere.isPresent()) {
            return "claim %s exists in namespace %s, which this pod cannot use"
                    .formatted(ref.name(), elsewhere.get().namespace());
        }
        var names =
                cluster.claims().stream()
                        .map(claim -> claim.ref())
                        .filter(other -> other.namespace().equals(ref.namespace()))
                        .map(ObjectRef::name)
                        .toList();
        return SpellingSuggestions.nearest(ref.name(), names)
                .map("did you mean %s?"::formatted)
                .orElse("");
    }

    private void addNotCreated(PodResourceClaim entry, ObjectRef ref) {
        var template =
                cluster.templates().stream().filter(one -> one.ref().equals(ref)).findFirst();
        if (template.isEmpty()) {
            add(
                    field(
                            "spec.resourceClaims[%s].resourceClaimTemplateName"
                                    .formatted(entry.name())),
                    "ResourceClaimTemplate %s does not exist".formatted(ref),
                    similarTemplate(ref));
            return;
        }
        var before = found.size();
        addQuotas(template.get());
        addAdminAccess(template.get());
        if (found.size() == before) {
            addFailedCreation(entry, ref);
        }
    }

    private String similarTemplate(ObjectRef ref) {
        var elsewhere =
                cluster.templates().stream()
                        .map(template -> template.ref())
                        .filter(other -> other.name().equals(ref.name()))
                        .findFirst();
        if (elsewhere.isPresent()) {
            return "template %s exists in namespace %s, which this pod cannot use"
                    .formatted(ref.name(), elsewhere.get().namespace());
        }
        if (cluster.claims().stream().anyMatch(claim -> claim.ref().equals(ref))) {
            return "a ResourceClaim has this name: use resourceClaimName";
        }
        return SpellingSuggestions.nearest(
                        ref.name(),
                        cluster.templates().stream()
                                .map(template -> template.ref())
                                .filter(other -> other.namespace().equals(ref.namespace()))
                                .map(ObjectRef::name)
                                .toList())
                .map("did you mean %s?"::formatted)
                .orElse("");
    }

    private void addQuotas(ResourceClaimTemplate template) {
        var needed = devices(template);
        needed.put(CLAIM_COUNT, 1L);
        for (var quota : cluster.records().quotas()) {
            if (!quota.metadata().namespace().equals(pod.metadata().namespace())) {
                continue;
            }
            var limits = quota.enforced().isEmpty() ? quota.hard() : quota.enforced();
            needed.forEach((name, amount) -> {
                var hard = limits.get(name);
                var used = quota.used().getOrDefault(name, Quantity.ZERO);
                if (hard != null && used.plus(Quantity.of(amount)).compareTo(hard) > 0) {
                    add(
                            new ObjectField(
                                    "ResourceQuota",
                                    quota.metadata().ref(),
                                    "spec.hard[%s]".formatted(name),
                                    "spec.hard[%s]".formatted(name)),
                            "%s of %s used, a claim of ResourceClaimTemplate %s needs %d"
                                    .formatted(used, hard, template.ref().name(), amount),
                            "");
                }
            });
        }
    }

    /// The devices that a quota charges for a claim of the template, by resource name of the quota.
    private static Map<String, Long> devices(ResourceClaimTemplate template) {
        var needed = new TreeMap<String, Long>();
        for (var request : template.spec().spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly ->
                        needed.merge(name(exactly.demand()), count(exactly.demand()), Long::sum);
                case DeviceRequest.FirstAvailable first -> {
                    var most = new TreeMap<String, Long>();
                    first.alternatives()
                            .forEach(one ->
                                    most.merge(name(one.demand()), count(one.demand()), Math::max));
                    most.forEach((name, count) -> needed.merge(name, count, Long::sum));
                }
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        return needed;
    }

    private static String name(DeviceDemand demand) {
        return demand.deviceClassName() + OF_DEVICE_CLASS;
    }

    private static long count(DeviceDemand demand) {
        return switch (demand.count()) {
            case AllocationCount.ExactCount(var count) -> count;
            case AllocationCount.All _ -> ALL_DEVICES;
            case AllocationCount.Unrecognised(_, var count) -> count;
        };
    }

    private void addAdminAccess(ResourceClaimTemplate template) {
        var isAdmin =
                template.spec().spec().requests().stream()
                        .anyMatch(one ->
                                one instanceof DeviceRequest.Exactly exactly && exactly.isAdmin());
        var namespace = pod.metadata().namespace();
        // Every namespace that was read has a label with its name.
        var labels = cluster.context().namespaces().labels(namespace);
        if (isAdmin && !labels.isEmpty() && !"true".equals(labels.get(ADMIN_ACCESS))) {
            add(
                    ObjectField.of(
                            "Namespace",
                            new ObjectRef("", namespace),
                            "metadata.labels[%s]".formatted(ADMIN_ACCESS)),
                    "adminAccess needs this label to be \"true\"",
                    "");
        }
    }

    /// The latest error of the resource claim controller.
    private void addFailedCreation(PodResourceClaim entry, ObjectRef template) {
        cluster.records().events().stream()
                .filter(event -> event.text("reason").equals("FailedResourceClaimCreation"))
                .filter(event -> isAbout(event.objectOrEmpty("involvedObject")))
                .map(event -> event.text("message"))
                .reduce((_, last) -> last)
                .ifPresent(message ->
                        add(
                                ObjectField.of("ResourceClaimTemplate", template, "spec"),
                                "no claim can be created from it for entry %s: %s"
                                        .formatted(entry.name(), message),
                                ""));
    }

    private boolean isAbout(JsonObject involved) {
        return involved.text("kind").equals("Pod")
                && involved.text("name").equals(pod.metadata().name())
                && involved.text("namespace").equals(pod.metadata().namespace());
    }

    private void addGates() {
        var gates = pod.spec().schedulingGates();
        if (!gates.isEmpty()) {
            add(
                    field("spec.schedulingGates"),
                    String.join(", ", gates),
                    "the controller that set the gate%s has to remove %s"
                            .formatted(
                                    gates.size() == 1 ? "" : "s",
                                    gates.size() == 1 ? "it" : "them"));
        }
    }

    private void addScheduler() {
        var name = pod.spec().schedulerName();
        var records = cluster.records();
        var isNew =
                pod.metadata()
                        .creationTimestamp()
                        .filter(created -> created.plus(REACTION_TIME).isAfter(now))
                        .isPresent();
        if (!records.isLive() || name.isEmpty() || isNew || isServed(name)) {
            return;
        }
        var known = new TreeSet<String>();
        cluster.pods().stream()
                .filter(one -> !one.spec().nodeName().isEmpty())
                .forEach(one -> known.add(one.spec().schedulerName()));
        known.remove("");
        add(
                field("spec.schedulerName"),
                ("no scheduler is known to serve %s: it has bound no pod, written no event or"
                                + " condition, and has no Lease")
                        .formatted(name),
                known.isEmpty()
                        ? ""
                        : "pods were bound by "
                                + ExplanationWording.listed(List.copyOf(known), ", "));
    }

    private boolean isServed(String name) {
        var hasCondition =
                pod.status().conditions().stream()
                        .anyMatch(condition ->
                                condition.type().equals("PodScheduled")
                                        && !condition.reason().equals("SchedulingGated"));
        return hasCondition
                || cluster.records().leases().contains(name)
                || (name.equals("default-scheduler")
                        && cluster.records().leases().contains("kube-scheduler"))
                || cluster.pods().stream()
                        .anyMatch(other ->
                                !other.spec().nodeName().isEmpty()
                                        && other.spec().schedulerName().equals(name))
                || cluster.records().events().stream()
                        .anyMatch(event ->
                                event.text("reportingComponent").equals(name)
                                        || event.objectOrEmpty("source")
                                                .text("component")
                                                .equals(name));
    }

    /// Containers that name a request which their claim does not have. Such a pod is scheduled, and
    /// its containers are refused by the kubelet.
    private void addContainerRequests() {
        for (var container : pod.spec().containers()) {
            for (var use : container.resources().claims()) {
                var requests = requests(use.name());
                if (!use.request().isEmpty()
                        && requests.isPresent()
                        && !requests.get().contains(use.request())) {
                    add(
                            new ObjectField(
                                    "Pod",
                                    pod.ref(),
                                    "container %s, resources.claims[%s].request"
                                            .formatted(container.name(), use.name()),
                                    "spec.containers[%s].resources.claims[%s].request"
                                            .formatted(container.name(), use.name())),
                            "the claim has no request " + use.request(),
                            SpellingSuggestions.nearest(use.request(), requests.get())
                                    .map("did you mean %s?"::formatted)
                                    .orElse(""));
                }
            }
        }
    }

    /// The requests of an entry's claim or template, without alternatives.
    private Optional<List<String>> requests(String entryName) {
        for (var entry : pod.spec().resourceClaims()) {
            if (entry.name().equals(entryName)) {
                return switch (PodClaimReferences.resolve(pod, entry)) {
                    case Resolution.Named(var claim, _) ->
                            cluster.claims().stream()
                                    .filter(one -> one.ref().equals(claim))
                                    .findFirst()
                                    .map(one -> names(one.spec().requests()));
                    case Resolution.NotCreated(var template) ->
                            cluster.templates().stream()
                                    .filter(one -> one.ref().equals(template))
                                    .findFirst()
                                    .map(one -> names(one.spec().spec().requests()));
                    case Resolution.NotNeeded _, Resolution.Unsupported _ -> Optional.empty();
                };
            }
        }
        return Optional.empty();
    }

    private static List<String> names(List<DeviceRequest> requests) {
        return requests.stream().map(DeviceRequest::name).toList();
    }
}
