package dev.berth.core.inventory;

import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.quantity.CommonUnit;
import dev.berth.model.quantity.Quantity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/// The numbered counters of one pool. Each is counted in the largest unit of which every amount in
/// the pool is a multiple, so that sums and differences are exact.
public final class CounterTable {

    private static final int SMALL_BITS = 40;

    static final CounterTable NONE = new CounterTable(List.of());

    private final List<CounterSet> sets;
    private final Map<String, Integer> setNumbers = new HashMap<>();
    private final Map<String, Map<String, Integer>> counterNumbers = new HashMap<>();
    private final List<String> counterNames = new ArrayList<>();
    private final List<Integer> setsByCounter = new ArrayList<>();
    private final Map<List<DeviceCounterConsumption>, CounterConsumption> consumptions =
            new HashMap<>();
    private CommonUnit[] units = new CommonUnit[0];
    private BigInteger[] totals = new BigInteger[0];
    private boolean isSmall = true;

    private CounterTable(List<CounterSet> sets) {
        this.sets = sets;
        for (var set : sets) {
            setNumbers.put(set.name(), setNumbers.size());
            var numbers = new HashMap<String, Integer>();
            for (var counter : set.counters().keySet()) {
                numbers.put(counter, counterNames.size());
                counterNames.add(set.name() + "/" + counter);
                setsByCounter.add(setNumbers.size() - 1);
            }
            counterNumbers.put(set.name(), numbers);
        }
    }

    /// The table of a pool, or why the pool is invalid.
    sealed interface Numbering {
        record Numbered(CounterTable table) implements Numbering {}

        record Inconsistent(String reason) implements Numbering {}
    }

    /// Numbers the counters of a pool and checks that the counters consumed by its devices exist.
    static Numbering number(
            List<CounterSet> sets, Collection<List<DeviceCounterConsumption>> consumers) {
        var distinct = new LinkedHashSet<>(consumers);
        var problem = duplicate(sets).or(() -> dangling(sets, distinct));
        if (problem.isPresent()) {
            return new Numbering.Inconsistent(problem.get());
        }
        var table = new CounterTable(sets);
        table.findUnits(distinct);
        table.addTotals();
        for (var consumer : distinct) {
            table.consumptions.put(consumer, table.consumption(consumer));
        }
        table.isSmall = table.findSmall();
        return new Numbering.Numbered(table);
    }

    private static Optional<String> duplicate(List<CounterSet> sets) {
        var seen = new LinkedHashSet<String>();
        for (var set : sets) {
            if (!seen.add(set.name())) {
                return Optional.of("duplicate counter set name " + set.name());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> dangling(
            List<CounterSet> sets, Collection<List<DeviceCounterConsumption>> consumers) {
        var byName = new HashMap<String, CounterSet>();
        sets.forEach(set -> byName.put(set.name(), set));
        for (var consumer : consumers) {
            for (var consumption : consumer) {
                var set = byName.get(consumption.counterSet());
                if (set == null) {
                    return Optional.of("counter set " + consumption.counterSet() + " not found");
                }
                for (var counter : consumption.counters().keySet()) {
                    if (!set.counters().containsKey(counter)) {
                        return Optional.of(
                                "counter %s not found in counter set %s"
                                        .formatted(counter, set.name()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private void findUnits(Collection<List<DeviceCounterConsumption>> consumers) {
        units = new CommonUnit[counterNames.size()];
        Arrays.fill(units, CommonUnit.NONE);
        forEachAmount(
                consumers, (amount, counter) -> units[counter] = units[counter].including(amount));
    }

    private void forEachAmount(
            Collection<List<DeviceCounterConsumption>> consumers, ObjIntConsumer<Quantity> visit) {
        for (var set : sets) {
            set.counters()
                    .forEach((name, amount) -> visit.accept(amount, number(set.name(), name)));
        }
        for (var consumer : consumers) {
            for (var consumption : consumer) {
                var set = consumption.counterSet();
                consumption
                        .counters()
                        .forEach((name, amount) -> visit.accept(amount, number(set, name)));
            }
        }
    }

    private BigInteger counted(int counter, Quantity amount) {
        return units[counter].exactCount(amount).orElseThrow();
    }

    private void addTotals() {
        totals = new BigInteger[counterNames.size()];
        for (var set : sets) {
            set.counters()
                    .forEach((name, amount) -> {
                        var counter = number(set.name(), name);
                        totals[counter] = counted(counter, amount);
                    });
        }
    }

    private CounterConsumption consumption(List<DeviceCounterConsumption> consumer) {
        if (consumer.isEmpty()) {
            return CounterConsumption.NONE;
        }
        var numbers = new ArrayList<Integer>();
        var amounts = new ArrayList<BigInteger>();
        for (var consumption : consumer) {
            for (var entry : consumption.counters().entrySet()) {
                var number = number(consumption.counterSet(), entry.getKey());
                numbers.add(number);
                amounts.add(counted(number, entry.getValue()));
            }
        }
        return new CounterConsumption(
                numbers.stream().mapToInt(Integer::intValue).toArray(),
                amounts.stream().mapToLong(CounterTable::bounded).toArray(),
                amounts.toArray(BigInteger[]::new),
                consumer.stream().mapToInt(c -> setNumber(c.counterSet())).toArray(),
                consumer.stream().map(DeviceCounterConsumption::compatibilityGroups).toList());
    }

    private static long bounded(BigInteger amount) {
        return amount.bitLength() < Long.SIZE
                ? amount.longValue()
                : amount.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private int number(String set, String counter) {
        return counterNumbers.getOrDefault(set, Map.of()).getOrDefault(counter, -1);
    }

    private int setNumber(String set) {
        return setNumbers.getOrDefault(set, -1);
    }

    public int size() {
        return counterNames.size();
    }

    public int setCount() {
        return sets.size();
    }

    /// Whether all amounts have at most 40 bits and no device has compatibility groups.
    public boolean isSmall() {
        return isSmall;
    }

    private boolean findSmall() {
        return Arrays.stream(totals).allMatch(CounterTable::isSmall)
                && consumptions.values().stream()
                        .allMatch(consumption ->
                                Arrays.stream(consumption.exactAmounts())
                                                .allMatch(CounterTable::isSmall)
                                        && consumption.groups().stream().allMatch(List::isEmpty));
    }

    private static boolean isSmall(BigInteger amount) {
        return amount.bitLength() <= SMALL_BITS;
    }

    /// The total of each counter; valid only if [#isSmall].
    public long[] smallTotals() {
        return Arrays.stream(totals).mapToLong(BigInteger::longValueExact).toArray();
    }

    /// The total of a counter, in its unit.
    public BigInteger total(int counter) {
        return totals[counter];
    }

    /// The number of the counter set of a counter.
    public int setOf(int counter) {
        return setsByCounter.get(counter);
    }

    /// The name of a counter set.
    public String setName(int set) {
        return sets.get(set).name();
    }

    /// `set/counter`, for messages.
    public String counterName(int counter) {
        return counterNames.get(counter);
    }

    /// An amount of a counter as a quantity, for messages.
    public Quantity quantity(int counter, BigInteger amount) {
        return units[counter].times(amount);
    }

    /// The consumption of a device; its traits must be among those that were numbered.
    public CounterConsumption consumptionOf(DeviceTraits traits) {
        if (traits.consumes().isEmpty()) {
            return CounterConsumption.NONE;
        }
        var consumption = consumptions.get(traits.consumes());
        return consumption == null ? CounterConsumption.NONE : consumption;
    }
}
