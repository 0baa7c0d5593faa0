package dev.berth.core.place;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PersistentVolume;
import dev.berth.model.api.PersistentVolumeClaim;
import dev.berth.model.api.PersistentVolumeClaimSpec;
import dev.berth.model.api.StorageClass;
import dev.berth.model.quantity.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The volumes of a cluster, the claims to them, and how more are made.
public final class Storage {

    private static final String SIZE = "storage";

    public static final Storage UNKNOWN = of(List.of(), List.of(), List.of(), false);

    private final Map<ObjectRef, PersistentVolumeClaim> claims = new HashMap<>();
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, StorageClass> classes = new HashMap<>();

    /// Volumes that can be had, the smallest first, by class.
    private final Map<String, List<PersistentVolume>> offered = new HashMap<>();

    private final boolean isComplete;

    private Storage(boolean isComplete) {
        this.isComplete = isComplete;
    }

    /// What is known of storage.
    ///
    /// @param isComplete true when what is not given does not exist, as in a live cluster; files
    ///   may leave things out
    public static Storage of(
            Collection<PersistentVolumeClaim> claims,
            Collection<PersistentVolume> volumes,
            Collection<StorageClass> classes,
            boolean isComplete) {
        var storage = new Storage(isComplete);
        claims.forEach(claim -> storage.claims.put(claim.ref(), claim));
        classes.forEach(one -> storage.classes.put(one.metadata().name(), one));
        for (var volume : volumes) {
            storage.volumes.put(volume.metadata().name(), volume);
            storage.offered
                    .computeIfAbsent(volume.spec().storageClassName(), _ -> new ArrayList<>())
                    .add(volume);
        }
        var smallestFirst =
                Comparator.<PersistentVolume, Quantity>comparing(Storage::size)
                        .thenComparing(volume -> volume.metadata().name());
        storage.offered.values().forEach(some -> some.sort(smallestFirst));
        return storage;
    }

    boolean isComplete() {
        return isComplete;
    }

    Optional<PersistentVolumeClaim> claim(ObjectRef ref) {
        return Optional.ofNullable(claims.get(ref));
    }

    Optional<PersistentVolume> volume(String name) {
        return Optional.ofNullable(volumes.get(name));
    }

    /// The name of the class of a claim: its own, or that of the default class. Empty for claims
    /// that want none.
    Optional<String> className(PersistentVolumeClaimSpec claim) {
        return claim.storageClassName().isPresent()
                ? claim.storageClassName().filter(name -> !name.isEmpty())
                : defaultClass().map(one -> one.metadata().name());
    }

    private Optional<StorageClass> defaultClass() {
        // The newest, and of those the first by name.
        return classes.values().stream()
                .filter(StorageClass::isDefault)
                .max(
                        Comparator.<StorageClass, Instant>comparing(one ->
                                        one.metadata().creationTimestamp().orElse(Instant.MIN))
                                .thenComparing(
                                        one -> one.metadata().name(), Comparator.reverseOrder()));
    }

    Optional<StorageClass> storageClass(String name) {
        return Optional.ofNullable(classes.get(name));
    }

    /// Volumes that would do for a claim if they are free, the smallest first; those that are kept
    /// for it come before all others.
    List<PersistentVolume> candidates(ObjectRef ref, PersistentVolumeClaimSpec claim) {
        var kept = new ArrayList<PersistentVolume>();
        var free = new ArrayList<PersistentVolume>();
        for (var volume : offered.getOrDefault(className(claim).orElse(""), List.of())) {
            if (suits(volume, claim)) {
                var owner = volume.spec().claim();
                if (owner.isEmpty() && isAvailable(volume)) {
                    free.add(volume);
                } else if (owner.filter(ref::equals).isPresent()) {
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
                        .map(selector ->
                                LabelSelectors.matches(selector, volume.metadata().labels()))
                        .orElse(true);
    }

    private static boolean isBlock(String volumeMode) {
        return volumeMode.equals("Block");
    }

    static Quantity size(PersistentVolume volume) {
        return volume.spec().capacity().getOrDefault(SIZE, Quantity.ZERO);
    }

    static Quantity size(PersistentVolumeClaimSpec claim) {
        return claim.requests().getOrDefault(SIZE, Quantity.ZERO);
    }
}
