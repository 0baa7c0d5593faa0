package dev.berth.core.utilisation;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Counts the units of a class in one pool by state.
final class UnitCounts {

    private static final double FULL = 1 - 1e-9;

    private final PoolState pool;
    private final BitSet seen = new BitSet();
    private final BitSet usableUnits = new BitSet();
    private final Map<BitSet, Utilisation> totals = new HashMap<>();
    private final Map<String, Double> namespaces = new TreeMap<>();
    private long free;
    private long partlyUsed;
    private long unavailable;
    private long adminAccess;

    UnitCounts(PoolState pool) {
        this.pool = pool;
    }

    /// Adds a device of the class.
    void add(int row) {
        adminAccess += pool.use().admins(row);
        var unit = pool.shape().rows().get(row).unit();
        var becomesUsable = !usableUnits.get(unit) && pool.isUsable(row);
        if (!seen.get(unit)) {
            seen.set(unit);
            addUnit(row, unit, becomesUsable);
        } else if (becomesUsable && !pool.use().isHeld(unit)) {
            unavailable--;
            free++;
        }
        if (becomesUsable) {
            usableUnits.set(unit);
        }
    }

    private void addUnit(int row, int unit, boolean isUsable) {
        var use = pool.use();
        var inUse = use.inUse(unit);
        totals.merge(pool.access().reach(row), new Utilisation(1, inUse), Utilisation::plus);
        use.namespaces(unit)
                .forEach((namespace, share) -> namespaces.merge(namespace, share, Double::sum));
        if (use.isHeld(unit)) {
            partlyUsed += inUse < FULL ? 1 : 0;
        } else if (isUsable) {
            free++;
        } else {
            unavailable++;
        }
    }

    ClassPart part(int classNumber, List<ClassPart.Location> locations) {
        return new ClassPart(
                classNumber, free, partlyUsed, unavailable, adminAccess, namespaces, locations);
    }

    /// The units that exactly these nodes can access.
    Utilisation at(BitSet reach) {
        return totals.getOrDefault(reach, Utilisation.NONE);
    }
}
