package dev.berth.core.place;

import dev.berth.core.inventory.NodeSelectors;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeSelector;
import dev.berth.model.api.ObjectMeta;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PersistentVolume;
import dev.berth.model.api.PersistentVolumeClaim;
import dev.berth.model.api.PersistentVolumeClaimSpec;
import dev.berth.model.api.Pod;
import dev.berth.model.api.StorageClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The volumes of a pod, and from where they can be reached. Looked up once for the pod.
final class PodVolumes {

    private static final String ALONE = "ReadWriteOncePod";

    /// A claim without a volume, and the volumes that it might get.
    private record Unbound(
            PersistentVolumeClaim claim,
            List<PersistentVolume> candidates,
            Optional<StorageClass> storageClass) {}

    private final Storage storage;
    private final VolumeUse use;
    private final List<PersistentVolume> bound = new ArrayList<>();
    private final List<Unbound> unbound = new ArrayList<>();
    private final List<ObjectRef> alone = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private Optional<String> problem = Optional.empty();

    private PodVolumes(Storage storage, VolumeUse use) {
        this.storage = storage;
        this.use = use;
    }

    static PodVolumes of(Pod pod, Storage storage, VolumeUse use) {
        var volumes = new PodVolumes(storage, use);
        VolumeClaims.of(pod).forEach(volumes::add);
        // Small claims choose first, and choose the smallest: what is left suits the large ones.
        volumes.unbound.sort(Comparator.comparing(one -> Storage.size(one.claim.spec())));
        return volumes;
    }

    private void add(VolumeClaims.Use wanted) {
        var ref = wanted.ref();
        var claim = storage.claim(ref);
        if (claim.isEmpty() && !storage.isComplete()) {
            claim = wanted.template().map(spec -> made(ref, spec));
        }
        if (claim.isEmpty()) {
            var text =
                    wanted.template().isPresent()
                            ? "waiting for ephemeral volume controller to create the"
                                    + " persistentvolumeclaim \"%s\""
                            : "persistentvolumeclaim \"%s\" not found";
            miss(text.formatted(ref.name()), "PersistentVolumeClaim " + ref);
        } else if (claim.get().metadata().isDeleting()) {
            refuse("persistentvolumeclaim \"%s\" is being deleted".formatted(ref.name()));
        } else {
            add(claim.get());
        }
    }

    private static PersistentVolumeClaim made(ObjectRef ref, PersistentVolumeClaimSpec spec) {
        return new PersistentVolumeClaim(ObjectMeta.of(ref.namespace(), ref.name()), spec);
    }

    private void add(PersistentVolumeClaim claim) {
        if (claim.spec().accessModes().contains(ALONE)) {
            alone.add(claim.ref());
        }
        var name = claim.spec().volumeName();
        var volume = name.isEmpty() ? use.volume(claim.ref()) : Optional.of(name);
        if (volume.isEmpty()) {
            addUnbound(claim);
            return;
        }
        storage.volume(volume.get())
                .ifPresentOrElse(
                        bound::add,
                        () ->
                                miss(
                                        ("persistentvolumeclaim \"%s\" bound to non-existent"
                                                        + " persistentvolume \"%s\"")
                                                .formatted(claim.metadata().name(), volume.get()),
                                        "PersistentVolume " + volume.get()));
    }

    private void addUnbound(PersistentVolumeClaim claim) {
        var name = storage.className(claim.spec());
        var storageClass = name.flatMap(storage::storageClass);
        if (name.isPresent() && storageClass.isEmpty()) {
            miss(
                    "storageclass.storage.k8s.io \"%s\" not found".formatted(name.get()),
                    "StorageClass " + name.get());
            return;
        }
        var waits = storageClass.filter(StorageClass::waitsForPod).isPresent();
        if (!waits && storage.isComplete()) {
            refuse("pod has unbound immediate PersistentVolumeClaims");
            return;
        }
        if (name.isEmpty() && claim.spec().storageClassName().isEmpty()) {
            gaps.add("the default StorageClass, of PersistentVolumeClaim " + claim.ref());
            return;
        }
        unbound.add(
                new Unbound(claim, storage.candidates(claim.ref(), claim.spec()), storageClass));
    }

    private void miss(String text, String what) {
        if (storage.isComplete()) {
            refuse(text);
        } else {
            gaps.add(what);
        }
    }

    private void refuse(String text) {
        problem = problem.or(() -> Optional.of(text));
    }

    /// Why no node will do.
    Optional<String> problem() {
        return problem;
    }

    /// What would have to be known to judge, and is not.
    List<String> gaps() {
        return List.copyOf(gaps);
    }

    /// The claims that the pod uses.
    static Set<ObjectRef> claims(Pod pod) {
        var refs = new LinkedHashSet<ObjectRef>();
        VolumeClaims.of(pod).forEach(wanted -> refs.add(wanted.ref()));
        return refs;
    }

    /// True when no node is the worse for volumes.
    boolean isContent() {
        return problem.isEmpty() && alone.isEmpty() && bound.isEmpty() && unbound.isEmpty();
    }

    /// Why the node will not do.
    Optional<Reason> objection(Node node) {
        if (alone.isEmpty() && bound.isEmpty() && unbound.isEmpty()) {
            return Optional.empty();
        }
        for (var claim : alone) {
            if (use.isUsed(claim)) {
                return Optional.of(new Reason.VolumeInUse(claim));
            }
        }
        for (var volume : bound) {
            if (!reaches(volume, node)) {
                return Optional.of(new Reason.VolumeElsewhere(volume.metadata().name()));
            }
        }
        var missing = bind(node, new HashMap<>());
        if (missing.isPresent()) {
            return missing.map(Reason.NoVolume::new);
        }
        return bound.stream()
                .filter(volume -> !VolumeZones.match(volume, node))
                .findFirst()
                .map(volume -> new Reason.VolumeZone(volume.metadata().name()));
    }

    private static boolean reaches(PersistentVolume volume, Node node) {
        return volume.spec()
                .nodes()
                .map(selector -> NodeSelectors.matches(selector, node))
                .orElse(true);
    }

    /// The volumes that claims get which have none, on a node that will do. Volumes that are still
    /// to be made have no name.
    Map<ObjectRef, String> bindings(Node node) {
        if (unbound.isEmpty()) {
            return Map.of();
        }
        var chosen = new HashMap<ObjectRef, String>();
        bind(node, chosen);
        return chosen;
    }

    /// Chooses volumes; a claim for which there is none, and can be none, is the answer.
    private Optional<ObjectRef> bind(Node node, Map<ObjectRef, String> chosen) {
        var taken = new HashSet<>(use.taken());
        for (var one : unbound) {
            var volume =
                    one.candidates.stream()
                            .filter(candidate -> !taken.contains(candidate.metadata().name()))
                            .filter(candidate -> reaches(candidate, node))
                            .findFirst();
            if (volume.isPresent()) {
                taken.add(volume.get().metadata().name());
                chosen.put(one.claim.ref(), volume.get().metadata().name());
            } else if (one.storageClass.filter(all -> canMake(all, node)).isEmpty()) {
                return Optional.of(one.claim.ref());
            }
        }
        return Optional.empty();
    }

    private static boolean canMake(StorageClass storageClass, Node node) {
        return storageClass.makesVolumes()
                && (storageClass.allowedTopologies().isEmpty()
                        || NodeSelectors.matches(
                                new NodeSelector(storageClass.allowedTopologies()), node));
    }
}
