package dev.berth.core.place.filter;

import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.VolumeClaimUsage;
import dev.berth.core.snapshot.VolumeClaims;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.PersistentVolumeClaimSpec;
import dev.berth.model.api.storage.StorageClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The volumes of one pod, for the filters VolumeRestrictions, VolumeBinding and VolumeZone. Claims
/// and volumes are looked up once per pod.
public final class PodVolumes {

    private static final String READ_WRITE_ONCE_POD = "ReadWriteOncePod";
    private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

    /// An unbound claim and the volumes that satisfy it.
    private record Unbound(
            PersistentVolumeClaim claim,
            List<PersistentVolume> candidates,
            Optional<StorageClass> storageClass) {}

    private final Pod pod;
    private final ClusterVolumes storage;
    private final VolumeClaimUsage usage;
    private final Map<ObjectRef, String> assumed = new HashMap<>();
    private final List<PersistentVolume> bound = new ArrayList<>();
    private final List<Unbound> unbound = new ArrayList<>();
    private final List<ObjectRef> readWriteOncePod = new ArrayList<>();
    private final List<String> missingObjects = new ArrayList<>();
    private Optional<String> problem = Optional.empty();

    private PodVolumes(Pod pod, ClusterVolumes storage, VolumeClaimUsage usage) {
        this.pod = pod;
        this.storage = storage;
        this.usage = usage;
    }

    public static PodVolumes of(Pod pod, ClusterVolumes storage, VolumeClaimUsage usage) {
        var volumes = new PodVolumes(pod, storage, usage);
        VolumeClaims.of(pod).forEach(volumes::add);
        // Small claims choose first and take the smallest volume, which leaves the large volumes
        // for large claims.
        volumes.unbound.sort(Comparator.comparing(one -> ClusterVolumes.size(one.claim.spec())));
        return volumes;
    }

    private void add(VolumeClaims.Use use) {
        var ref = use.ref();
        var claim = storage.claim(ref);
        if (claim.isEmpty() && !storage.isComplete()) {
            claim = use.template().map(spec -> fromTemplate(ref, spec));
        }
        if (claim.isEmpty()) {
            var text =
                    use.template().isPresent()
                            ? "waiting for ephemeral volume controller to create the"
                                    + " persistentvolumeclaim \"%s\""
                            : "persistentvolumeclaim \"%s\" not found";
            addMissing(text.formatted(ref.name()), "PersistentVolumeClaim " + ref);
        } else if (claim.get().metadata().isDeleting()) {
            fail("persistentvolumeclaim \"%s\" is being deleted".formatted(ref.name()));
        } else if (use.template().isPresent()
                && storage.isComplete()
                && !isOwnedByPod(claim.get())) {
            fail("PVC %s was not created for pod %s (pod is not owner)".formatted(ref, pod.ref()));
        } else {
            add(claim.get());
        }
    }

    private boolean isOwnedByPod(PersistentVolumeClaim claim) {
        return claim.metadata()
                .controller()
                .filter(owner -> owner.uid().equals(pod.metadata().uid()))
                .isPresent();
    }

    private static PersistentVolumeClaim fromTemplate(
            ObjectRef ref, PersistentVolumeClaimSpec spec) {
        return new PersistentVolumeClaim(ObjectMeta.of(ref.namespace(), ref.name()), spec, "");
    }

    private void add(PersistentVolumeClaim claim) {
        if (claim.spec().accessModes().contains(READ_WRITE_ONCE_POD)) {
            readWriteOncePod.add(claim.ref());
        }
        var name = claim.spec().volumeName();
        if (!name.isEmpty() && !claim.isBound() && storage.isComplete()) {
            // The volume controller is binding this claim and does not wait for pods.
            fail(UNBOUND);
            return;
        }
        var volume = name.isEmpty() ? usage.volume(claim.ref()) : Optional.of(name);
        if (volume.isEmpty()) {
            addUnbound(claim);
            return;
        }
        if (name.isEmpty()) {
            assumed.put(claim.ref(), volume.get());
        }
        storage.volume(volume.get())
                .ifPresentOrElse(
                        bound::add,
                        () ->
                                addMissing(
                                        ("persistentvolumeclaim \"%s\" bound to non-existent"
                                                        + " persistentvolume \"%s\"")
                                                .formatted(claim.metadata().name(), volume.get()),
                                        "PersistentVolume " + volume.get()));
    }

    private void addUnbound(PersistentVolumeClaim claim) {
        var name = storage.className(claim.spec());
        var storageClass = storage.classOf(claim.spec());
        if (name.isPresent() && storageClass.isEmpty()) {
            addMissing(
                    "storageclass.storage.k8s.io \"%s\" not found".formatted(name.get()),
                    "StorageClass " + name.get());
            return;
        }
        var waitsForConsumer = storageClass.filter(StorageClass::waitsForFirstConsumer).isPresent();
        if (!waitsForConsumer && storage.isComplete()) {
            fail(UNBOUND);
            return;
        }
        if (name.isEmpty() && claim.spec().storageClassName().isEmpty()) {
            missingObjects.add("the default StorageClass, of PersistentVolumeClaim " + claim.ref());
            return;
        }
        unbound.add(new Unbound(claim, candidates(claim), storageClass));
    }

    /// Volumes that satisfy the claim and are not assumed for another one. None for a claim whose
    /// volume is being provisioned.
    private List<PersistentVolume> candidates(PersistentVolumeClaim claim) {
        if (claim.selectedNode().isPresent()) {
            return List.of();
        }
        var taken = new HashSet<>(usage.taken());
        return storage.candidates(claim).stream()
                .filter(volume -> !taken.contains(volume.metadata().name()))
                .toList();
    }

    private void addMissing(String text, String object) {
        if (storage.isComplete()) {
            fail(text);
        } else {
            missingObjects.add(object);
        }
    }

    private void fail(String text) {
        problem = problem.or(() -> Optional.of(text));
    }

    /// Why every node is rejected.
    public Optional<String> problem() {
        return problem;
    }

    /// Objects that the filters need and that are missing from incomplete input.
    public List<String> missingObjects() {
        return List.copyOf(missingObjects);
    }

    /// True when the pod has no volumes that restrict nodes.
    boolean isEmpty() {
        return bound.isEmpty() && unbound.isEmpty();
    }

    /// The bound volumes.
    List<PersistentVolume> bound() {
        return bound;
    }

    /// The first ReadWriteOncePod claim that another pod uses.
    Optional<ObjectRef> claimInUse() {
        return problem.isPresent() || readWriteOncePod.isEmpty()
                ? Optional.empty()
                : readWriteOncePod.stream().filter(usage::isUsed).findFirst();
    }

    /// The first unbound claim for which no volume exists or can be provisioned on the node.
    Optional<ObjectRef> claimWithoutVolume(Node node) {
        return unbound.isEmpty() ? Optional.empty() : bind(node, new HashMap<>());
    }

    public static boolean reaches(PersistentVolume volume, Node node) {
        return volume.spec()
                .nodes()
                .map(selector -> NodeSelectorMatcher.matches(selector, node))
                .orElse(true);
    }

    /// The volumes for unbound claims on a fitting node, including volumes that are already assumed
    /// for another pod. Claims whose volume is still to be provisioned are absent.
    public Map<ObjectRef, String> bindings(Node node) {
        if (unbound.isEmpty()) {
            return assumed;
        }
        var chosen = new HashMap<>(assumed);
        bind(node, chosen);
        return chosen;
    }

    /// Chooses volumes. Returns the first claim for which no volume exists or can be provisioned.
    private Optional<ObjectRef> bind(Node node, Map<ObjectRef, String> chosen) {
        for (var one : unbound) {
            var volume =
                    one.candidates.stream()
                            .filter(other -> !chosen.containsValue(other.metadata().name()))
                            .filter(candidate -> reaches(candidate, node))
                            .findFirst();
            if (volume.isPresent()) {
                chosen.put(one.claim.ref(), volume.get().metadata().name());
            } else if (!canProvision(one, node)) {
                return Optional.of(one.claim.ref());
            }
        }
        return Optional.empty();
    }

    private static boolean canProvision(Unbound one, Node node) {
        return one.claim.selectedNode().filter(name -> !name.equals(node.name())).isEmpty()
                && one.storageClass.filter(all -> canProvision(all, node)).isPresent();
    }

    private static boolean canProvision(StorageClass storageClass, Node node) {
        return storageClass.provisionsVolumes()
                && (storageClass.allowedTopologies().isEmpty()
                        || NodeSelectorMatcher.matches(
                                new NodeSelector(storageClass.allowedTopologies()), node));
    }
}
