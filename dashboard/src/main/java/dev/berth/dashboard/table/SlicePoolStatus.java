package dev.berth.dashboard.table;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.Optional;

/// Whether the pool of a slice can be used.
///
/// @param status `complete`, `incomplete`, `invalid` or `old`
/// @param reason why the pool cannot be used; empty if it can
record SlicePoolStatus(String status, String reason) {

    static SlicePoolStatus of(ResourceSlice slice, ClusterSnapshot snapshot) {
        var inventory = snapshot.inventory();
        var pool = inventory.pool(slice.poolId());
        var node = pool.flatMap(one -> one.onlyNode()).flatMap(inventory::node);
        var view =
                node.isPresent()
                        ? pool.flatMap(one -> one.viewFrom(node.get()))
                        : pool.flatMap(one -> one.clusterView());
        if (view.filter(one -> one.generation() > slice.spec().pool().generation()).isPresent()) {
            return new SlicePoolStatus("old", "a newer generation of the pool exists");
        }
        return view.map(PoolView::status)
                .flatMap(SlicePoolStatus::unusable)
                .orElse(new SlicePoolStatus("complete", ""));
    }

    private static Optional<SlicePoolStatus> unusable(PoolView.Status status) {
        return switch (status) {
            case PoolView.Status.Complete _ -> Optional.empty();
            case PoolView.Status.Incomplete(var present, var expected) ->
                    Optional.of(
                            new SlicePoolStatus(
                                    "incomplete",
                                    "%d of %d slices exist".formatted(present, expected)));
            case PoolView.Status.Malformed(var reason) ->
                    Optional.of(new SlicePoolStatus("invalid", reason));
            case PoolView.Status.Invalid(var reason) ->
                    Optional.of(new SlicePoolStatus("invalid", reason));
        };
    }
}
