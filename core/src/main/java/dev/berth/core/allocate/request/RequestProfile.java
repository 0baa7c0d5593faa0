package dev.berth.core.allocate.request;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.selector.SelectorChain;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.slice.SliceScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The node-independent requirements of a pod's claims: the selectors and attributes that decide
/// which parts of a node matter to the search. Compared by identity: claims with equal text share
/// one profile while [SearchCache] holds it.
public final class RequestProfile {

    /// The claims of a pod and everything else that does not depend on the node.
    ///
    /// @param preferred an attribute that all devices should agree in, for [DeviceOrder#ALIGNED]
    public record Input(
            List<ResourceClaim> claims,
            Map<String, DeviceClass> classes,
            Set<AllocatorFeature> features,
            Optional<String> preferred) {

        /// True when both consist of the same objects; cheaper than a comparison of claims.
        @SuppressWarnings("ReferenceEquality")
        boolean isSame(Input other) {
            return claims == other.claims
                    && classes == other.classes
                    && features == other.features
                    && preferred.equals(other.preferred);
        }
    }

    /// The claim specs and class selectors, without the names of claims.
    ///
    /// @param selectors selectors of each requested class that exists
    /// @param preferred an attribute that all devices should agree in, for [DeviceOrder#ALIGNED]
    public record Text(
            List<ResourceClaimSpec> claims,
            Map<String, List<DeviceSelector>> selectors,
            Set<AllocatorFeature> features,
            Optional<String> preferred) {

        public Text {
            claims = List.copyOf(claims);
            selectors = Map.copyOf(selectors);
            features = Set.copyOf(features);
        }

        static Text of(Input input) {
            var specs = new ArrayList<ResourceClaimSpec>(input.claims.size());
            var selectors = new HashMap<String, List<DeviceSelector>>();
            for (var claim : input.claims) {
                specs.add(claim.spec());
                for (var demand : demands(claim.spec())) {
                    var deviceClass = input.classes.get(demand.deviceClassName());
                    if (deviceClass != null) {
                        selectors.putIfAbsent(
                                demand.deviceClassName(), deviceClass.spec().selectors());
                    }
                }
            }
            return new Text(specs, selectors, input.features, input.preferred);
        }
    }

    private final boolean comparable;
    private final List<SelectorChain> selectorChains;
    private final List<String> attributes;

    private RequestProfile(
            boolean comparable, Set<SelectorChain> selectorChains, Set<String> attributes) {
        this.comparable = comparable;
        this.selectorChains = List.copyOf(selectorChains);
        this.attributes = List.copyOf(attributes);
    }

    public static RequestProfile of(Text text, SelectorCache selectorCache) {
        var comparable = true;
        var selectorChains = new LinkedHashSet<SelectorChain>();
        var attributes = new LinkedHashSet<String>();
        text.preferred.ifPresent(attributes::add);
        for (var spec : text.claims) {
            for (var demand : demands(spec)) {
                var ofClass = text.selectors.get(demand.deviceClassName());
                if (ofClass != null) {
                    selectorChains.add(
                            selectorCache.of(
                                    demand.deviceClassName(), ofClass, demand.selectors()));
                }
                // The value of a derived attribute depends on columns that the fingerprint does not
                // contain.
                comparable &= ofClass != null && demand.derivedAttributes().isEmpty();
            }
            for (var constraint : spec.constraints()) {
                switch (constraint) {
                    case DeviceConstraint.MatchAttribute match -> attributes.add(match.attribute());
                    case DeviceConstraint.DistinctAttribute distinct ->
                            attributes.add(distinct.attribute());
                    case DeviceConstraint.Unrecognised _ -> comparable = false;
                }
            }
        }
        return new RequestProfile(comparable, selectorChains, attributes);
    }

    private static List<DeviceDemand> demands(ResourceClaimSpec spec) {
        var demands = new ArrayList<DeviceDemand>();
        for (var request : spec.requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly -> demands.add(exactly.demand());
                case DeviceRequest.FirstAvailable list ->
                        list.alternatives().forEach(one -> demands.add(one.demand()));
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        return demands;
    }

    /// The fingerprint of a node for these requests; empty when it would not determine the search.
    Optional<NodeFingerprint> fingerprint(NodeDevices nodeDevices, Holdings holdings) {
        if (!comparable) {
            return Optional.empty();
        }
        var pools = new ArrayList<Object>();
        for (var pool : nodeDevices.pools()) {
            if (!isPlain(pool)) {
                return Optional.empty();
            }
            add(pool, pools);
        }
        return Optional.of(NodeFingerprint.of(pools, nodeDevices, holdings));
    }

    /// Whether the availability of the pool's devices is independent of the node and of other
    /// nodes.
    private static boolean isPlain(PoolView pool) {
        if (!pool.isUsable() || pool.hasDevicesElsewhere()) {
            return false;
        }
        for (var slice : pool.slices()) {
            if (slice.scope() instanceof SliceScope.PerDevice
                    || !slice.skipNodeOperations().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private void add(PoolView pool, List<Object> fingerprint) {
        fingerprint.add(pool.id().driver());
        fingerprint.add(pool.counters());
        for (var slice : pool.slices()) {
            fingerprint.add(slice.size());
            fingerprint.add(slice.traitsColumn());
            fingerprint.add(slice.capacityColumns());
            for (var selectorChain : selectorChains) {
                fingerprint.add(selectorChain.key(slice));
            }
        }
        for (var attribute : attributes) {
            fingerprint.add(pool.attributeColumns(attribute));
        }
    }
}
