package dev.berth.core.snapshot;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.PersistentVolumeClaimSpec;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.quantity.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// PersistentVolumes, PersistentVolumeClaims and StorageClasses of a cluster.
///
/// Immutable: a change returns another value, which shares the rest.
///
/// @param volumesByClass volumes by storage class, smallest first
/// @param isComplete true when an absent object does not exist, as in a live cluster; manifests in
///   files may be incomplete
public record ClusterVolumes(
        PersistentSortedMap<ObjectRef, PersistentVolumeClaim> claims,
        PersistentSortedMap<String, PersistentVolume> volumes,
        PersistentSortedMap<String, StorageClass> classes,
        PersistentSortedMap<String, PersistentSortedMap<SizeKey, PersistentVolume>> volumesByClass,
        boolean isComplete) {

    private static final String SIZE = "storage";

    public static final ClusterVolumes UNKNOWN =
            new ClusterVolumes(
                    PersistentSortedMap.of(),
                    PersistentSortedMap.of(),
                    PersistentSortedMap.of(),
                    PersistentSortedMap.of(),
                    false);

    /// Sort key of volumes: size, then name.
    public record SizeKey(Quantity size, String name) implements Comparable<SizeKey> {

        static SizeKey of(PersistentVolume volume) {
            return new SizeKey(ClusterVolumes.size(volume), volume.metadata().name());
        }

        @Override
        public int compareTo(SizeKey other) {
            var bySize = size.compareTo(other.size);
            return bySize == 0 ? name.compareTo(other.name) : bySize;
        }
    }

    /// Builds the volumes of a cluster from complete lists.
    public static ClusterVolumes of(
            Collection<PersistentVolumeClaim> claims,
            Collection<PersistentVolume> volumes,
            Collection<StorageClass> classes,
            boolean isComplete) {
        var storage = UNKNOWN.complete(isComplete);
        for (var claim : claims) {
            storage = storage.with(claim);
        }
        for (var volume : volumes) {
            storage = storage.with(volume);
        }
        for (var one : classes) {
            storage = storage.with(one);
        }
        return storage;
    }

    /// The same volumes, marked as complete or incomplete.
    public ClusterVolumes complete(boolean changed) {
        return new ClusterVolumes(claims, volumes, classes, volumesByClass, changed);
    }

    public ClusterVolumes with(PersistentVolumeClaim claim) {
        return new ClusterVolumes(
                claims.with(claim.ref(), claim), volumes, classes, volumesByClass, isComplete);
    }

    public ClusterVolumes withoutClaim(ObjectRef ref) {
        return new ClusterVolumes(
                claims.without(ref), volumes, classes, volumesByClass, isComplete);
    }

    public ClusterVolumes with(PersistentVolume volume) {
        var rest = withoutVolume(volume.metadata().name());
        var name = volume.spec().storageClassName();
        var ofClass = rest.volumesByClass.find(name).orElse(PersistentSortedMap.of());
        return new ClusterVolumes(
                claims,
                rest.volumes.with(volume.metadata().name(), volume),
                classes,
                rest.volumesByClass.with(name, ofClass.with(SizeKey.of(volume), volume)),
                isComplete);
    }

    public ClusterVolumes withoutVolume(String name) {
        var known = volumes.find(name);
        if (known.isEmpty()) {
            return this;
        }
        var className = known.get().spec().storageClassName();
        var ofClass =
                volumesByClass
                        .find(className)
                        .orElse(PersistentSortedMap.of())
                        .without(SizeKey.of(known.get()));
        return new ClusterVolumes(
                claims,
                volumes.without(name),
                classes,
                ofClass.isEmpty()
                        ? volumesByClass.without(className)
                        : volumesByClass.with(className, ofClass),
                isComplete);
    }

    public ClusterVolumes with(StorageClass one) {
        return new ClusterVolumes(
                claims,
                volumes,
                classes.with(one.metadata().name(), one),
                volumesByClass,
                isComplete);
    }

    public ClusterVolumes withoutClass(String name) {
        return new ClusterVolumes(
                claims, volumes, classes.without(name), volumesByClass, isComplete);
    }

    public Optional<PersistentVolumeClaim> claim(ObjectRef ref) {
        return claims.find(ref);
    }

    public Optional<PersistentVolume> volume(String name) {
        return volumes.find(name);
    }

    /// The class of a claim: its own, or the default class. Empty when the claim requests no class
    /// or the class does not exist.
    public Optional<StorageClass> classOf(PersistentVolumeClaimSpec claim) {
        return className(claim).flatMap(classes::find);
    }

    /// The name of the class of a claim: its own, or that of the default class. Empty when the
    /// claim requests no class.
    public Optional<String> className(PersistentVolumeClaimSpec claim) {
        return claim.storageClassName().isPresent()
                ? claim.storageClassName().filter(name -> !name.isEmpty())
                : defaultClass().map(one -> one.metadata().name());
    }

    private Optional<StorageClass> defaultClass() {
        // The newest default class; ties are broken by name.
        return classes.values().stream()
                .filter(StorageClass::isDefault)
                .max(
                        Comparator.<StorageClass, Instant>comparing(one ->
                                        one.metadata().creationTimestamp().orElse(Instant.MIN))
                                .thenComparing(
                                        one -> one.metadata().name(), Comparator.reverseOrder()));
    }

    /// Volumes that satisfy a claim and are available, smallest first. Volumes whose `claimRef`
    /// names the claim come first.
    public List<PersistentVolume> candidates(PersistentVolumeClaim claim) {
        var kept = new ArrayList<PersistentVolume>();
        var free = new ArrayList<PersistentVolume>();
        var name = className(claim.spec()).orElse("");
        for (var volume : volumesByClass.find(name).orElse(PersistentSortedMap.of()).values()) {
            if (!volume.metadata().isDeleting() && suits(volume, claim.spec())) {
                var owner = volume.spec().claim();
                if (owner.isEmpty() && isAvailable(volume)) {
                    free.add(volume);
                } else if (owner.filter(one -> one.is(claim)).isPresent()) {
                    kept.add(volume);
                }
            }
        }
        kept.addAll(free);
        return kept;
    }

    private static boolean isAvailable(PersistentVolume volume) {
        return volume.phase().isEmpty() || volume.phase().equals("Available");
    }

    private static boolean suits(PersistentVolume volume, PersistentVolumeClaimSpec claim) {
        return size(volume).compareTo(size(claim)) >= 0
                && volume.spec().accessModes().containsAll(claim.accessModes())
                && isBlock(volume.spec().volumeMode()) == isBlock(claim.volumeMode())
                && claim.selector()
                        .map(selector -> selector.matches(volume.metadata().labels()))
                        .orElse(true);
    }

    private static boolean isBlock(String volumeMode) {
        return volumeMode.equals("Block");
    }

    public static Quantity size(PersistentVolume volume) {
        return volume.spec().capacity().getOrDefault(SIZE, Quantity.ZERO);
    }

    public static Quantity size(PersistentVolumeClaimSpec claim) {
        return claim.requests().getOrDefault(SIZE, Quantity.ZERO);
    }
}
