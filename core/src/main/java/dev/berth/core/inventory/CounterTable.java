package dev.berth.core.inventory;

import dev.berth.model.api.CounterSet;
import dev.berth.model.api.DeviceCounterConsumption;
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

/// The counters of one pool, numbered, each counted in the largest unit of which every amount in
/// the pool is a multiple, so that sums and differences are exact.
public final class CounterTable {

    private static final int SMALL_BITS = 40;

    static final CounterTable NONE = new CounterTable(List.of());

    private final List<CounterSet> sets;
    private final Map<String, Integer> setNumbers = new HashMap<>();
    private final Map<String, Map<String, Integer>> counterNumbers = new HashMap<>();
    private final List<String> counterNames = new ArrayList<>();
    private final Map<List<DeviceCounterConsumption>, CounterConsumption> draws = new HashMap<>();
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
            }
            counterNumbers.put(set.name(), numbers);
        }
    }

    /// What came of numbering: a table, or why the pool cannot be used.
    sealed interface Numbering {
        record Numbered(CounterTable table) implements Numbering {}

        record Inconsistent(String reason) implements Numbering {}
    }

    /// Numbers the counters of a pool and checks that its devices draw on what there is.
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
            table.draws.put(consumer, table.draw(consumer));
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

    private CounterConsumption draw(List<DeviceCounterConsumption> consumer) {
        if (consumer.isEmpty()) {
            return CounterConsumption.NOTHING;
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

    /// True when no amount has more than 40 bits and nothing depends on compatibility groups.
    public boolean isSmall() {
        return isSmall;
    }

    private boolean findSmall() {
        return Arrays.stream(totals).allMatch(CounterTable::isSmall)
                && draws.values().stream()
                        .allMatch(draw ->
                                Arrays.stream(draw.exact()).allMatch(CounterTable::isSmall)
                                        && draw.groups().stream().allMatch(List::isEmpty));
    }

    private static boolean isSmall(BigInteger amount) {
        return amount.bitLength() <= SMALL_BITS;
    }

    /// What there is of each counter when nothing is taken; only where [#isSmall].
    public long[] smallTotals() {
        return Arrays.stream(totals).mapToLong(BigInteger::longValueExact).toArray();
    }

    /// What there is of a counter when nothing is taken.
    public BigInteger total(int counter) {
        return totals[counter];
    }

    /// `set/counter`, for messages.
    public String counterName(int counter) {
        return counterNames.get(counter);
    }

    /// An amount of a counter as a quantity, for messages.
    public Quantity quantity(int counter, BigInteger amount) {
        return units[counter].times(amount);
    }

    /// What a device with these consumptions takes; it must be one of those numbered.
    public CounterConsumption drawOf(DeviceTraits traits) {
        if (traits.consumes().isEmpty()) {
            return CounterConsumption.NOTHING;
        }
        var draw = draws.get(traits.consumes());
        return draw == null ? CounterConsumption.NOTHING : draw;
    }
}
