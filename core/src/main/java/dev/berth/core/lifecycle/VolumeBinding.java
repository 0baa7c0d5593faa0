package dev.berth.core.lifecycle;

import dev.berth.core.place.ClusterVolumes;
import dev.berth.model.api.PersistentVolume;
import dev.berth.model.api.PersistentVolumeClaim;
import dev.berth.model.api.StorageClass;
import dev.berth.model.api.Uid;
import java.util.Optional;

/// Brings volumes and the claims to them together. Volumes are neither made nor deleted.
///
/// First a volume says that it belongs to a claim, then the claim that it has the volume. Claims of
/// classes that wait for pods get only what is kept for them: a scheduler gives it.
public final class VolumeBinding {

    /// What is to be written next.
    public sealed interface Command {

        /// The volume is to belong to the claim.
        record Give(PersistentVolume volume, PersistentVolumeClaim claim) implements Command {}

        /// The claim is to say that it has the volume.
        record Complete(PersistentVolumeClaim claim, PersistentVolume volume) implements Command {}

        /// The volume is to say how it stands.
        record Tell(PersistentVolume volume, String phase) implements Command {}
    }

    private static final String BOUND = "Bound";

    private VolumeBinding() {}

    /// What a claim needs next.
    public static Optional<Command> of(PersistentVolumeClaim claim, ClusterVolumes storage) {
        if (claim.metadata().isDeleting()) {
            return Optional.empty();
        }
        var name = claim.spec().volumeName();
        return name.isEmpty()
                ? storage.candidates(claim).stream()
                        .findFirst()
                        .filter(volume ->
                                volume.spec().claim().isPresent() || !waits(claim, storage))
                        .map(volume -> next(claim, volume))
                : storage.volume(name)
                        .filter(volume -> mayHave(claim, volume))
                        .filter(_ -> !claim.isBound() || !claim.phase().equals(BOUND))
                        .map(volume -> next(claim, volume));
    }

    private static boolean waits(PersistentVolumeClaim claim, ClusterVolumes storage) {
        return storage.classOf(claim.spec()).filter(StorageClass::waitsForPod).isPresent();
    }

    private static boolean mayHave(PersistentVolumeClaim claim, PersistentVolume volume) {
        return volume.spec().claim().isEmpty()
                || volume.spec().claim().filter(owner -> owner.is(claim)).isPresent();
    }

    private static Command next(PersistentVolumeClaim claim, PersistentVolume volume) {
        var isOwned =
                volume.spec().claim().filter(owner -> !owner.uid().equals(Uid.NONE)).isPresent();
        return isOwned ? new Command.Complete(claim, volume) : new Command.Give(volume, claim);
    }

    /// What a volume needs next.
    public static Optional<Command> of(PersistentVolume volume, ClusterVolumes storage) {
        return phase(volume, storage)
                .filter(phase -> !phase.equals(volume.phase()))
                .map(phase -> new Command.Tell(volume, phase));
    }

    /// Empty while it belongs to a claim that does not say so.
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
