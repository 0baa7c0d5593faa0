package dev.berth.core.allocate.search;

import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.LongArrayKey;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.RequestOption;
import dev.berth.core.allocate.state.SearchRequest;
import dev.berth.core.allocate.state.SearchState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Cache of search states that have no solution.
///
/// Two states are equivalent when the remaining requests and the available devices are equivalent.
/// The devices taken on the way do not matter, nor does which of several interchangeable units (see
/// [DeviceSymmetry]) is in which state. So a key consists of the state of the constraints and the
/// sorted states of all units that can serve the remaining requests.
final class FailedStateCache {

    private static final int MAX_STATES = 50_000;

    private final NodeDevices nodeDevices;
    private final SearchState state;
    private final List<SearchRequest> requests;
    private final DeviceSymmetry symmetry;
    private final boolean exact;
    private final long[][] candidatesFrom;
    private final int[][] constraintsFrom;
    private final Map<LongArrayKey, Integer> unitStates = new HashMap<>();
    private final Set<LongArrayKey> failed = new HashSet<>();
    private final long[] available;
    private long[] unit = new long[16];

    /// @param exact true when no equivalence may be used: the key is then a copy of the whole trail
    FailedStateCache(
            NodeDevices nodeDevices,
            SearchState state,
            List<SearchRequest> requests,
            DeviceSymmetry symmetry,
            boolean exact) {
        this.nodeDevices = nodeDevices;
        this.state = state;
        this.requests = requests;
        this.symmetry = symmetry;
        this.exact =
                exact
                        || requests.stream()
                                .flatMap(request -> request.options().stream())
                                .anyMatch(RequestOption::admin);
        this.available = new long[state.words()];
        this.candidatesFrom = new long[requests.size() + 1][state.words()];
        this.constraintsFrom = new int[requests.size() + 1][];
        var bound = new HashSet<Integer>();
        constraintsFrom[requests.size()] = new int[0];
        for (var i = requests.size() - 1; i >= 0; i--) {
            BitSets.add(candidatesFrom[i], candidatesFrom[i + 1]);
            for (var option : requests.get(i).options()) {
                BitSets.add(candidatesFrom[i], option.candidates());
                option.constraints().forEach(one -> one.trailIndexes().forEach(bound::add));
            }
            constraintsFrom[i] = bound.stream().mapToInt(Integer::intValue).sorted().toArray();
        }
    }

    boolean hasFailed(LongArrayKey key) {
        return failed.contains(key);
    }

    void add(LongArrayKey key) {
        if (failed.size() < MAX_STATES) {
            failed.add(key);
        }
    }

    /// The key of the current state.
    ///
    /// @param option the option that is being served, or a negative number before one is chosen
    /// @param from the first device that may be assigned next
    LongArrayKey key(int number, int option, int nth, int from, int taken) {
        if (exact) {
            var all = state.trail().copy();
            var numbers = Arrays.copyOf(all, all.length + 2);
            numbers[all.length] = position(number, option, nth, taken);
            numbers[all.length + 1] = from;
            return new LongArrayKey(numbers);
        }
        findAvailable(candidatesFrom[number]);
        var bound = constraintsFrom[number];
        var numbers = new long[1 + bound.length + symmetry.units().size()];
        var at = 0;
        numbers[at++] = position(number, option, nth, taken);
        for (var index : bound) {
            numbers[at++] = state.trail().at(index);
        }
        var firstUnit = at;
        var served =
                option < 0
                        ? candidatesFrom[number]
                        : requests.get(number).options().get(option).candidates();
        for (var one : symmetry.units()) {
            var id = stateOf(one, served, from);
            if (id >= 0) {
                numbers[at++] = id;
            }
        }
        Arrays.sort(numbers, firstUnit, at);
        return new LongArrayKey(Arrays.copyOf(numbers, at));
    }

    private static long position(int number, int option, int nth, int taken) {
        return ((long) number << 48) | ((option + 1L) << 32) | ((long) nth << 16) | taken;
    }

    private void findAvailable(long[] candidates) {
        Arrays.fill(available, 0);
        for (var device = BitSets.next(candidates, 0);
                device >= 0;
                device = BitSets.next(candidates, device + 1)) {
            if (!BitSets.has(state.held(), device)
                    && !state.isMarked(device)
                    && (state.isShared(device) || state.admits(device))) {
                BitSets.set(available, device);
            }
        }
    }

    /// A number that identifies the available devices of a unit, or -1 if it has none.
    private int stateOf(DeviceSymmetry.Unit one, long[] served, int from) {
        var members = one.members();
        var words = BitSets.words(members.length);
        var length = 1 + 3 * words + one.numbers().length;
        if (unit.length < length) {
            unit = new long[length];
        }
        Arrays.fill(unit, 0, length, 0);
        unit[0] = one.kind();
        var any = false;
        for (var i = 0; i < members.length; i++) {
            var device = members[i];
            if (BitSets.has(available, device)) {
                any = true;
                unit[1 + (i >>> 6)] |= BitSets.bit(i);
                if (device >= from && BitSets.has(served, device)) {
                    unit[1 + words + (i >>> 6)] |= BitSets.bit(i);
                }
                if (nodeDevices.isShareable(device) && state.isShared(device)) {
                    unit[1 + 2 * words + (i >>> 6)] |= BitSets.bit(i);
                }
            }
        }
        if (!any) {
            return -1;
        }
        for (var i = 0; i < one.numbers().length; i++) {
            unit[1 + 3 * words + i] = state.trail().at(one.numbers()[i]);
        }
        return unitStates.computeIfAbsent(
                new LongArrayKey(Arrays.copyOf(unit, length)), _ -> unitStates.size());
    }
}
