package dev.berth.control.schedule;

import dev.berth.core.schedule.BindingWrites;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The latest version of each claim: the last write that the watch has not shown yet, otherwise the
/// watched version.
final class LatestClaims {

    private final BindingWriter writer;
    private final ClusterView view;
    private final Map<ObjectRef, BindingWrites.Write> unseen = new HashMap<>();

    LatestClaims(BindingWriter writer, ClusterView view) {
        this.writer = writer;
        this.view = view;
    }

    void written(BindingWrites.Write written) {
        if (view.claim(written.ref())
                .filter(seen -> ClusterView.version(seen) >= written.version())
                .isEmpty()) {
            unseen.put(written.ref(), written);
        }
    }

    void seen(ResourceClaim claim) {
        var written = unseen.get(claim.ref());
        if (written != null && written.version() <= ClusterView.version(claim)) {
            unseen.remove(claim.ref());
        }
    }

    void deleted(ObjectRef claim) {
        unseen.remove(claim);
    }

    /// The last write that the watch has not shown yet.
    Optional<BindingWrites.Write> unseen(ObjectRef claim) {
        return Optional.ofNullable(unseen.get(claim));
    }

    Optional<ResourceClaim> find(ObjectRef claim) {
        var seen = view.claim(claim);
        var written = unseen(claim);
        var isNewer =
                written.isPresent()
                        && seen.filter(c -> ClusterView.version(c) < written.get().version())
                                .isPresent();
        return isNewer ? Optional.of(writer.read(written.get().object())) : seen;
    }
}
