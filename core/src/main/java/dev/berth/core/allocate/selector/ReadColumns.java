package dev.berth.core.allocate.selector;

import dev.berth.core.cel.ExpressionReads;
import dev.berth.core.inventory.SliceTable;
import dev.berth.model.api.meta.QualifiedName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Cache keys for selector results, made of the columns that the expressions read: equal keys imply
/// equal results.
final class ReadColumns {

    private final Set<QualifiedName> attributes = new LinkedHashSet<>();
    private final Set<QualifiedName> capacities = new LinkedHashSet<>();
    private boolean everything;
    private boolean sharing;

    private ReadColumns() {}

    static ReadColumns of(List<ExpressionReads> programs) {
        var columns = new ReadColumns();
        for (var reads : programs) {
            columns.attributes.addAll(reads.attributes());
            columns.capacities.addAll(reads.capacities());
            columns.sharing |= reads.allowMultipleAllocations();
            columns.everything |=
                    reads.allAttributes()
                            || reads.allCapacities()
                            || !reads.attributeDomains().isEmpty()
                            || !reads.capacityDomains().isEmpty();
        }
        return columns;
    }

    /// A key that is equal for slices whose devices agree row by row.
    Object ofSlice(SliceTable slice) {
        if (everything || slice.hasInvalidValues()) {
            return slice;
        }
        var key = new ArrayList<Object>();
        key.add(slice.pool().driver());
        key.add(slice.size());
        key.add(slice.columns(attributes, capacities));
        key.add(sharing ? slice.traitsColumn() : "");
        return key;
    }

    /// A key that is equal for devices that agree.
    Object ofDevice(SliceTable slice, int row) {
        if (everything || slice.hasInvalidValues()) {
            return List.of(slice, row);
        }
        var key = new ArrayList<Object>();
        key.add(slice.pool().driver());
        key.add(slice.cells(attributes, capacities, row));
        key.add(sharing && slice.traits(row).shareable());
        return key;
    }
}
