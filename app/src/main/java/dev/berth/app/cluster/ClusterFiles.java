package dev.berth.app.cluster;

import dev.berth.app.manifest.Manifest;
import dev.berth.app.manifest.ManifestAdmission;
import dev.berth.app.manifest.ManifestReader;
import dev.berth.client.ResourcePath;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.disruption.DisruptionBudget;
import dev.berth.core.explain.ClusterObjects;
import dev.berth.core.plan.PlanInput;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodPhase;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.FieldPath;
import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Sorts objects from files into a cluster and a workload.
///
/// Pods with a node belong to the cluster, as do nodes, slices, classes and claims. Pods without a
/// node, and workload controllers such as Deployments, are the workload. A running cluster can be
/// read first; objects from files replace those of the same name.
public final class ClusterFiles {

    private static final ResourcePath BUDGETS =
            new ResourcePath("policy", "v1", "poddisruptionbudgets");
    private static final ResourcePath NAMESPACES = new ResourcePath("", "v1", "namespaces");
    private final ManifestAdmission doorway;
    private final List<String> problems = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<DeviceClass> classes = new ArrayList<>();
    private final List<DeviceTaintRule> rules = new ArrayList<>();
    private final List<ResourceClaim> claims = new ArrayList<>();
    private final List<ResourceClaimTemplate> templates = new ArrayList<>();
    private final List<Pod> bound = new ArrayList<>();
    private final List<Pod> unbound = new ArrayList<>();

    /// Pending pods of a running cluster. `--replicas` does not apply to them.
    private final List<Pod> pending = new ArrayList<>();

    private final List<String> notes = new ArrayList<>();
    private final ClusterWorkloads workloads = new ClusterWorkloads();
    private final ContextObjects context = new ContextObjects();
    private final List<ResourceQuota> quotas = new ArrayList<>();
    private final List<DisruptionBudget> budgets = new ArrayList<>();
    private final SchedulerRecords schedulers = new SchedulerRecords();
    private final MissingPermissions required = new MissingPermissions();
    private final MissingPermissions optional = new MissingPermissions();
    private boolean isLive;
    private boolean isOneNamespace;
    private boolean considersLimits;
    private boolean knowsBudgets = true;

    public ClusterFiles(FeatureGates gates, Instant now) {
        this.doorway = new ManifestAdmission(gates, now);
    }

    /// Makes [#read(LiveObjects)] read the limits for the creation of pods and claims, too.
    void considerLimits() {
        considersLimits = true;
    }

    public void read(List<String> files, InputStream standardInput) {
        var reader = new ManifestReader(this::keep);
        for (var file : files) {
            try {
                reader.read(file, standardInput);
            } catch (IOException e) {
                problems.add("cannot read " + FailureText.of(e));
            }
        }
        for (var text : reader.unreadable()) {
            problems.add(
                    "%s:%d:%d: %s"
                            .formatted(text.file(), text.line(), text.column(), text.reason()));
        }
    }

    /// Reads a running cluster. Nodes, slices, classes, claims and pods are required; other kinds
    /// may be forbidden to the user. What may be read is kept even when a required kind is
    /// forbidden.
    public void read(LiveObjects live) {
        isLive = true;
        take(() -> live.all(Kinds.NODE), nodes::add);
        take(() -> live.all(Kinds.RESOURCE_SLICE), slices::add);
        take(() -> live.all(Kinds.DEVICE_CLASS), classes::add);
        take(() -> live.all(Kinds.RESOURCE_CLAIM), claims::add);
        take(() -> live.all(Kinds.POD), pod -> keepPod(pod, pending));
        if (isForbidden()) {
            problems.add(required.text(live.user().orElse("")));
        }
        if (!problems.isEmpty()) {
            return;
        }
        if (!required.isEmpty()) {
            isOneNamespace = true;
            notes.add(
                    "%s cannot be read, so devices that a claim in another namespace holds appear"
                                    .formatted(required.resources())
                            + " as free; the ClusterRole %s permits to read them"
                                    .formatted(MissingPermissions.ROLE));
        }
        readOptional(live);
    }

    private void readOptional(LiveObjects live) {
        takeIfSeen(live.all(Kinds.RESOURCE_CLAIM_TEMPLATE), templates::add);
        takeIfSeen(live.all(Kinds.DEVICE_TAINT_RULE), rules::add);
        takeIfSeen(
                live.trees(NAMESPACES, false),
                one -> context.keepNamespace(one.objectOrEmpty("metadata")));
        var knowsClaims = takeIfSeen(live.all(Kinds.PERSISTENT_VOLUME_CLAIM), context::keep);
        var knowsVolumes = takeIfSeen(live.all(Kinds.PERSISTENT_VOLUME), context::keep);
        var knowsClasses = takeIfSeen(live.all(Kinds.STORAGE_CLASS), context::keep);
        context.knowsStorage(knowsClaims && knowsVolumes && knowsClasses);
        if (considersLimits) {
            takeIfSeen(live.all(Kinds.RESOURCE_QUOTA), quotas::add);
            knowsBudgets =
                    takeIfSeen(
                            live.trees(BUDGETS, true),
                            one -> budgets.add(DisruptionBudget.of(one)));
        }
        if (!optional.isEmpty()) {
            notes.add(
                    "%s cannot be read and are not considered; the ClusterRole %s permits to read"
                                    .formatted(optional.resources(), MissingPermissions.ROLE)
                            + " them");
        }
    }

    /// Reads the workload controllers of a kind in a namespace.
    void readWorkloads(LiveObjects live, String kind, String namespace) {
        workloads.read(live, kind, namespace).ifPresent(problems::add);
    }

    /// Reads quotas, and what shows which schedulers run.
    void readRecords(LiveObjects live) {
        takeIfSeen(live.all(Kinds.RESOURCE_QUOTA), quotas::add);
        schedulers.read(live);
    }

    private <T> void take(Supplier<LiveObjects.ListOutcome<T>> list, Consumer<T> keeper) {
        // The first problem is enough.
        if (problems.isEmpty()) {
            switch (list.get()) {
                case LiveObjects.ListOutcome.Listed<T>(var objects) -> objects.forEach(keeper);
                case LiveObjects.ListOutcome.ListedInNamespace<T>(var resource, _, var objects) -> {
                    objects.forEach(keeper);
                    required.addOtherNamespaces(resource);
                }
                case LiveObjects.ListOutcome.Forbidden<T>(var resource) -> required.with(resource);
                case LiveObjects.ListOutcome.Refused<T>(var reason) -> problems.add(reason);
            }
        }
    }

    /// Keeps the objects; false when they cannot be read.
    private <T> boolean takeIfSeen(LiveObjects.ListOutcome<T> list, Consumer<T> keeper) {
        return switch (list) {
            case LiveObjects.ListOutcome.Listed<T>(var objects) -> kept(objects, keeper);
            // Pods refer to objects of their own namespace only.
            case LiveObjects.ListOutcome.ListedInNamespace<T>(_, _, var objects) ->
                    kept(objects, keeper);
            case LiveObjects.ListOutcome.Forbidden<T>(var resource) -> {
                optional.with(resource);
                yield false;
            }
            case LiveObjects.ListOutcome.Refused<T>(var reason) -> {
                notes.add(reason + "; these objects are not considered");
                yield false;
            }
        };
    }

    private static <T> boolean kept(List<T> objects, Consumer<T> keeper) {
        objects.forEach(keeper);
        return true;
    }

    private void keep(Manifest manifest) {
        if (WorkloadPods.isOne(manifest.kind())) {
            if (isLive) {
                workloads.replace(manifest);
            } else {
                workloads.add(manifest);
            }
            return;
        }
        if (manifest.kind().equals("Event")) {
            workloads.addEvent(manifest.object());
            return;
        }
        if (manifest.kind().equals("PodDisruptionBudget")) {
            keep(DisruptionBudget.of(DefaultNamespace.set(manifest.object())));
            return;
        }
        if (manifest.kind().equals("Namespace")) {
            context.keepNamespace(manifest.object().objectOrEmpty("metadata"));
            return;
        }
        var decoded = doorway.enter(DefaultNamespace.set(manifest.object()));
        if (decoded.isPresent()) {
            switch (decoded.get()) {
                case Decoded.Read<? extends KubernetesObject> read -> keep(read.object());
                case Decoded.Refused<? extends KubernetesObject> refused ->
                        refuse(manifest, refused.message());
            }
        }
    }

    private void keep(DisruptionBudget budget) {
        budgets.removeIf(other -> other.ref().equals(budget.ref()));
        budgets.add(budget);
    }

    /// The PodDisruptionBudgets; empty when they cannot be read.
    public Optional<List<DisruptionBudget>> budgets() {
        return knowsBudgets ? Optional.of(List.copyOf(budgets)) : Optional.empty();
    }

    /// Adds a PersistentVolumeClaim of a StatefulSet's pods unless it exists.
    void keepIfNew(PersistentVolumeClaim claim) {
        context.keepIfNew(claim);
    }

    void refuse(String message) {
        problems.add(message);
    }

    void refuse(Manifest manifest, String message) {
        var at = manifest.place(FieldPath.ROOT);
        problems.add(
                "%s:%d:%d: %s %s: %s"
                        .formatted(
                                manifest.file(),
                                at.line(),
                                at.column(),
                                manifest.kind(),
                                manifest.object().objectOrEmpty("metadata").text("name"),
                                message));
    }

    private void keep(KubernetesObject object) {
        switch (object) {
            case Node node -> add(nodes, node);
            case ResourceSlice slice -> add(slices, slice);
            case DeviceClass deviceClass -> add(classes, deviceClass);
            case DeviceTaintRule rule -> add(rules, rule);
            case ResourceClaim claim -> add(claims, claim);
            case ResourceClaimTemplate template -> add(templates, template);
            case Pod pod -> {
                replaceLive(bound, pod);
                replaceLive(pending, pod);
                keepPod(pod, unbound);
            }
            case PersistentVolumeClaim claim -> context.keep(claim);
            case PersistentVolume volume -> context.keep(volume);
            case StorageClass one -> context.keep(one);
            case ResourceQuota quota -> add(quotas, quota);
            default -> {}
        }
    }

    private <T extends KubernetesObject> void add(List<T> objects, T object) {
        replaceLive(objects, object);
        objects.add(object);
    }

    private <T extends KubernetesObject> void replaceLive(List<T> objects, T object) {
        if (isLive) {
            var ref = object.metadata().ref();
            objects.removeIf(other -> other.metadata().ref().equals(ref));
        }
    }

    private void keepPod(Pod pod, List<Pod> withoutNode) {
        var isOver =
                pod.status().phase() == PodPhase.Known.SUCCEEDED
                        || pod.status().phase() == PodPhase.Known.FAILED;
        if (!isOver) {
            (pod.spec().nodeName().isEmpty() ? withoutNode : bound).add(pod);
        }
    }

    /// The cluster and the pods to place.
    ///
    /// @param replicas number of pods per workload of the files
    public PlanInput scenario(ReplicaCount replicas) {
        var orders = new ArrayList<PlanInput.PendingPod>();
        pending.forEach(pod -> orders.add(new PlanInput.PendingPod("pod " + pod.ref(), pod)));
        for (var pod : unbound) {
            var group = "pod " + pod.ref();
            for (var copy : PodCopies.of(pod, replicas)) {
                orders.add(new PlanInput.PendingPod(group, copy));
            }
        }
        var present = existing();
        var all = new ArrayList<PlanInput.Workload>();
        for (var manifest : workloads.controllers()) {
            var workload = new WorkloadPods(manifest, doorway, this);
            var missing = workload.orders(replicas, present, nodes);
            orders.addAll(missing);
            all.add(workload.summary(present, missing.size()));
        }
        return new PlanInput(
                nodes,
                slices,
                classes,
                rules,
                claims,
                templates,
                bound,
                orders,
                context.context(),
                quotas,
                all);
    }

    private static List<Pod> all(List<Pod> some, List<Pod> more) {
        var both = new ArrayList<>(some);
        both.addAll(more);
        return both;
    }

    /// A workload controller with its pods; empty if it is not among the objects.
    public Optional<WorkloadState> workload(String kind, ObjectRef ref) {
        return workloads.controllers().stream()
                .map(manifest -> new WorkloadPods(manifest, doorway, this))
                .filter(one -> one.isNamed(kind, ref))
                .findFirst()
                .map(one -> one.workload(existing(), nodes, workloads));
    }

    /// The names of the workload controllers of a kind.
    public List<ObjectRef> workloads(String kind) {
        return workloads.controllers().stream()
                .filter(manifest -> manifest.kind().equals(kind))
                .map(WorkloadPods::ref)
                .toList();
    }

    private ExistingPods existing() {
        return new ExistingPods(bound, all(pending, unbound), workloads.controllers());
    }

    /// All objects, to explain one of them.
    public ClusterObjects objects() {
        return objects(List.of());
    }

    /// All objects, and pods that do not exist, to explain one of them.
    public ClusterObjects objects(List<Pod> more) {
        var pods = all(all(bound, all(pending, unbound)), more);
        return new ClusterObjects(
                        nodes, classes, slices, rules, claims, templates, pods, context.context())
                .with(schedulers.with(quotas));
    }

    /// Whether the user may not read a required kind.
    public boolean isForbidden() {
        return required.hasDeniedKind();
    }

    /// Whether pods and claims of one namespace only could be read, so that devices in use may
    /// appear as free.
    public boolean isOneNamespace() {
        return isOneNamespace;
    }

    /// Kinds of a running cluster that could not be read and are not required.
    List<String> notes() {
        return List.copyOf(notes);
    }

    /// Files and objects that could not be read, with their positions.
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
