package dev.berth.core.allocate;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.SliceScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What claims ask of any node, and so what there is to be looked at on one. Compared by identity:
/// claims with equal texts have one of these while [SearchCache] remembers it.
final class RequestProfile {

    /// All that is asked, without the names of claims.
    ///
    /// @param selectors of each class that is asked for and exists
    /// @param preferred an attribute of which all devices should have the same value
    record Text(
            List<ResourceClaimSpec> claims,
            Map<String, List<DeviceSelector>> selectors,
            Set<AllocatorFeature> features,
            Optional<String> preferred) {

        Text {
            claims = List.copyOf(claims);
            selectors = Map.copyOf(selectors);
            features = Set.copyOf(features);
        }

        static Text of(
                List<ResourceClaim> claims,
                Map<String, DeviceClass> classes,
                Set<AllocatorFeature> features,
                Optional<String> preferred) {
            var specs = new ArrayList<ResourceClaimSpec>(claims.size());
            var selectors = new HashMap<String, List<DeviceSelector>>();
            for (var claim : claims) {
                specs.add(claim.spec());
                for (var demand : demands(claim.spec())) {
                    var asked = classes.get(demand.deviceClassName());
                    if (asked != null) {
                        selectors.putIfAbsent(demand.deviceClassName(), asked.spec().selectors());
                    }
                }
            }
            return new Text(specs, selectors, features, preferred);
        }
    }

    private final boolean comparable;
    private final List<SelectorChain> selections;
    private final List<String> attributes;

    private RequestProfile(
            boolean comparable, Set<SelectorChain> selections, Set<String> attributes) {
        this.comparable = comparable;
        this.selections = List.copyOf(selections);
        this.attributes = List.copyOf(attributes);
    }

    static RequestProfile of(Text text, SelectorCache known) {
        var comparable = true;
        var selections = new LinkedHashSet<SelectorChain>();
        var attributes = new LinkedHashSet<String>();
        text.preferred.ifPresent(attributes::add);
        for (var spec : text.claims) {
            for (var demand : demands(spec)) {
                var ofClass = text.selectors.get(demand.deviceClassName());
                if (ofClass != null) {
                    selections.add(known.of(demand.deviceClassName(), ofClass, demand.selectors()));
                }
                // What an expression computes depends on more than is compared here.
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
        return new RequestProfile(comparable, selections, attributes);
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

    /// What a node looks like to these wishes; empty when more than that may matter.
    Optional<NodeFingerprint> look(NodeDevices arena, Holdings holdings) {
        if (!comparable) {
            return Optional.empty();
        }
        var pools = new ArrayList<Object>();
        for (var pool : arena.pools()) {
            if (!isPlain(pool)) {
                return Optional.empty();
            }
            add(pool, pools);
        }
        return Optional.of(NodeFingerprint.of(pools, arena, holdings));
    }

    /// True when neither the node nor other nodes matter for what can be had of the pool.
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

    private void add(PoolView pool, List<Object> look) {
        look.add(pool.id().driver());
        look.add(pool.counters());
        for (var slice : pool.slices()) {
            look.add(slice.size());
            look.add(slice.traitsColumn());
            look.add(slice.capacityColumns());
            for (var selection : selections) {
                look.add(selection.key(slice));
            }
        }
        for (var attribute : attributes) {
            look.add(pool.attributeColumns(attribute));
        }
    }
}
