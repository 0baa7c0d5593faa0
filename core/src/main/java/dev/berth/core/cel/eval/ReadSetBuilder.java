package dev.berth.core.cel.eval;

import dev.berth.core.cel.ExpressionReads;
import dev.berth.core.cel.value.DeviceFields;
import dev.berth.model.api.meta.QualifiedName;
import java.util.HashSet;
import java.util.Set;

/// Builds [ExpressionReads] from the paths that an expression reads.
final class ReadSetBuilder {

    private boolean driver;
    private boolean allowMultipleAllocations;
    private final Fields attributes = new Fields();
    private final Fields capacities = new Fields();

    void add(DevicePath path) {
        if (path.keys().isEmpty()) {
            driver = true;
            allowMultipleAllocations = true;
            attributes.all = true;
            capacities.all = true;
            return;
        }
        switch (path.keys().getFirst()) {
            case DeviceFields.DRIVER -> driver = true;
            case DeviceFields.ALLOW_MULTIPLE -> allowMultipleAllocations = true;
            case DeviceFields.ATTRIBUTES -> attributes.add(path);
            case DeviceFields.CAPACITY -> capacities.add(path);
            default -> {}
        }
    }

    ExpressionReads toReads() {
        return new ExpressionReads(
                driver,
                allowMultipleAllocations,
                attributes.names(),
                attributes.domains(),
                attributes.all,
                capacities.names(),
                capacities.domains(),
                capacities.all);
    }

    /// The reads of attributes or of capacities.
    private static final class Fields {

        private boolean all;
        private final Set<String> domains = new HashSet<>();
        private final Set<QualifiedName> names = new HashSet<>();

        void add(DevicePath path) {
            var keys = path.keys();
            switch (keys.size()) {
                case 1 -> all = true;
                case 2 -> domains.add(keys.get(1));
                default -> names.add(new QualifiedName(keys.get(1), keys.get(2)));
            }
        }

        Set<String> domains() {
            return all ? Set.of() : domains;
        }

        Set<QualifiedName> names() {
            var narrow = new HashSet<>(names);
            narrow.removeIf(name -> all || domains.contains(name.domain()));
            return narrow;
        }
    }
}
