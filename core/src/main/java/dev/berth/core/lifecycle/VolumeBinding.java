package dev.berth.core.lifecycle;

import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import java.util.Optional;

/// Binds PersistentVolumes to claims. Volumes are neither provisioned nor deleted.
///
/// First the volume's `claimRef` is set, then the claim's `volumeName`. Claims of classes with
/// `WaitForFirstConsumer` are bound only to volumes that refer to them already: the scheduler
/// chooses those.
public final class VolumeBinding {

    /// The next write.
    public sealed interface Command {

        /// Sets the `claimRef` of the volume.
        record SetClaimRef(PersistentVolume volume, PersistentVolumeClaim claim)
                implements Command {}

        /// Sets the `volumeName` and phase of the claim.
        record Complete(PersistentVolumeClaim claim, PersistentVolume volume) implements Command {}

        /// Sets the phase of the volume.
        record SetPhase(PersistentVolume volume, String phase) implements Command {}
    }

    private static final String BOUND = "Bound";

    private VolumeBinding() {}

    /// The next write for a claim.
    public static Optional<Command> of(PersistentVolumeClaim claim, ClusterVolumes storage) {
        if (claim.metadata().isDeleting()) {
            return Optional.empty();
        }
        var name = claim.spec().volumeName();
        return name.isEmpty()
                ? storage.candidates(claim).stream()
                        .findFirst()
                        .filter(volume ->
                                volume.spec().claim().isPresent()
                                        || !waitsForConsumer(claim, storage))
                        .map(volume -> next(claim, volume))
                : storage.volume(name)
                        .filter(volume -> mayBind(claim, volume))
                        .filter(_ -> !claim.isBound() || !claim.phase().equals(BOUND))
                        .map(volume -> next(claim, volume));
    }

    private static boolean waitsForConsumer(PersistentVolumeClaim claim, ClusterVolumes storage) {
        return storage.classOf(claim.spec())
                .filter(StorageClass::waitsForFirstConsumer)
                .isPresent();
    }

    private static boolean mayBind(PersistentVolumeClaim claim, PersistentVolume volume) {
        return volume.spec().claim().isEmpty()
                || volume.spec().claim().filter(owner -> owner.is(claim)).isPresent();
    }

    private static Command next(PersistentVolumeClaim claim, PersistentVolume volume) {
        var isOwned =
                volume.spec().claim().filter(owner -> !owner.uid().equals(Uid.NONE)).isPresent();
        return isOwned
                ? new Command.Complete(claim, volume)
                : new Command.SetClaimRef(volume, claim);
    }

    /// The next write for a volume.
    public static Optional<Command> of(PersistentVolume volume, ClusterVolumes storage) {
        return phase(volume, storage)
                .filter(phase -> !phase.equals(volume.phase()))
                .map(phase -> new Command.SetPhase(volume, phase));
    }

    /// Empty while its claim is not bound to it yet.
    private static Optional<String> phase(PersistentVolume volume, ClusterVolumes storage) {
        var owner = volume.spec().claim();
        if (owner.isEmpty()) {
            return Optional.of("Available");
        }
        var claim = storage.claim(owner.get().claim()).filter(owner.get()::is);
        if (claim.isEmpty()) {
            var isKept = owner.get().uid().equals(Uid.NONE);
            return Optional.of(isKept ? "Available" : "Released");
        }
        return claim.filter(one -> one.spec().volumeName().equals(volume.metadata().name()))
                .map(_ -> BOUND);
    }
}
