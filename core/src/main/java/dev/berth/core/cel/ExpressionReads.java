package dev.berth.core.cel;

import dev.berth.model.api.meta.QualifiedName;
import java.util.Set;

/// The device fields that an expression may read. Devices that are equal in all of them have the
/// same result.
///
/// The flags for all attributes or capacities are for expressions that iterate over them or compute
/// a domain. Names that a wider member covers are not listed in the narrower ones.
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
