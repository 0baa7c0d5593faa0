package dev.berth.core.place;

import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.node.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Device allocations by the claims of a pod and node. Pods that differ only in CPU, memory, labels
/// or tolerations have different cache keys in a [FitCache], but the same devices on a node.
///
/// Only for device orders other than that of Kubernetes, which sort all devices of a node before
/// they search. A result is valid while the node, its pools, their holders and the device classes
/// are the same objects. Errors are not cached, because their messages name the claims of a pod.
/// Not thread-safe.
final class DeviceResultCache {

    /// Bound of cached results over all keys; the least recently used key is evicted first. A
    /// result takes about 200 bytes.
    private static final int MAX_RESULTS = 200_000;

    private final Map<Object, OfClaims> byClaims = new LinkedHashMap<>(16, 0.75f, true);
    private long remembered;

    /// A result and its inputs.
    private record Entry(
            Node node,
            List<PoolView> pools,
            List<PoolHoldings> holdings,
            PodDeviceAllocation.Result result) {

        @SuppressWarnings("ReferenceEquality") // identical objects have not changed
        private boolean isValid(NodeView view, List<PoolHoldings> current) {
            if (node != view.node() || !areSame(pools, view.pools())) {
                return false;
            }
            return areSame(holdings, current);
        }

        @SuppressWarnings("ReferenceEquality") // identical objects have not changed
        private static <T> boolean areSame(List<T> before, List<T> now) {
            if (before.size() != now.size()) {
                return false;
            }
            for (var i = 0; i < before.size(); i++) {
                if (before.get(i) != now.get(i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /// The results of pods with equal claims, by node.
    final class OfClaims {

        private final Map<String, Entry> byNode = new HashMap<>();
        private Map<String, DeviceClass> classes = Map.of();

        /// The cached result of a node, or a computed one.
        PodDeviceAllocation.Result result(
                NodeView view, Supplier<PodDeviceAllocation.Result> allocation) {
            var ledger = view.snapshot().usage().ledger();
            var holdings = new ArrayList<PoolHoldings>(view.pools().size());
            for (var pool : view.pools()) {
                holdings.add(ledger.poolHoldings(pool.id()));
            }
            forgetOthers(view.snapshot().inventory().classes());
            var before = Optional.ofNullable(byNode.get(view.name()));
            if (before.filter(entry -> entry.isValid(view, holdings)).isPresent()) {
                return before.get().result;
            }
            var result = allocation.get();
            if (!isFault(result)) {
                var entry = new Entry(view.node(), view.pools(), List.copyOf(holdings), result);
                remembered += byNode.put(view.name(), entry) == null ? 1 : 0;
            }
            return result;
        }

        private void forgetOthers(Map<String, DeviceClass> current) {
            if (!classes.equals(current)) {
                remembered -= byNode.size();
                byNode.clear();
                classes = current;
            }
        }

        private static boolean isFault(PodDeviceAllocation.Result result) {
            return result instanceof PodDeviceAllocation.Result.Rejected(Rejection.Fault _);
        }
    }

    /// The results for the claims of a pod; empty when a search is as cheap as a lookup.
    Optional<OfClaims> of(EvaluationContext context, PlacementPolicy policy) {
        if (policy.evaluationOrder() == DeviceOrder.FIRST) {
            return Optional.empty();
        }
        var oldest = byClaims.entrySet().iterator();
        while (remembered > MAX_RESULTS && byClaims.size() > 1) {
            remembered -= oldest.next().getValue().byNode.size();
            oldest.remove();
        }
        return Optional.of(
                byClaims.computeIfAbsent(
                        PodDeviceAllocation.cacheKey(context), _ -> new OfClaims()));
    }
}
