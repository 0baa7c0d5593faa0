package dev.berth.core.cel;

import dev.berth.model.api.QualifiedName;
import java.util.Set;

/// What an expression may look at. Two devices that agree in all of it get the same outcome.
///
/// Sets hold names; the flags for all attributes or capacities are for expressions that walk over
/// them or compute a domain. Whatever a wider member covers is left out of the narrower ones.
public record ExpressionReads(
        boolean driver,
        boolean allowMultipleAllocations,
        Set<QualifiedName> attributes,
        Set<String> attributeDomains,
        boolean allAttributes,
        Set<QualifiedName> capacities,
        Set<String> capacityDomains,
        boolean allCapacities) {

    public ExpressionReads {
        attributes = Set.copyOf(attributes);
        attributeDomains = Set.copyOf(attributeDomains);
        capacities = Set.copyOf(capacities);
        capacityDomains = Set.copyOf(capacityDomains);
    }

    public boolean readsAttribute(QualifiedName name) {
        return allAttributes
                || attributeDomains.contains(name.domain())
                || attributes.contains(name);
    }

    public boolean readsCapacity(QualifiedName name) {
        return allCapacities
                || capacityDomains.contains(name.domain())
                || capacities.contains(name);
    }
}
