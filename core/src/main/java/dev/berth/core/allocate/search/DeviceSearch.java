package dev.berth.core.allocate.search;

import dev.berth.core.allocate.bound.FeasibilityBounds;
import dev.berth.core.allocate.bound.ProofBudget;
import dev.berth.core.allocate.state.BitSets;
import dev.berth.core.allocate.state.DeviceAssigner;
import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.allocate.state.RequestOption;
import dev.berth.core.allocate.state.SearchRequest;
import dev.berth.core.allocate.state.SearchState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Searches devices for all requests in the order of Kubernetes, and returns the first solution in
/// that order or proves that there is none.
///
/// The search is depth first: requests in turn, devices of a request as ascending combinations. It
/// prunes only branches without a solution, or whose solutions come later in the order: dead ends
/// that [FeasibilityBounds] proves, devices that are interchangeable with one that failed
/// ([DeviceSymmetry]), permutations of interchangeable requests, and states that failed before
/// ([FailedStateCache]). Pruning starts with the first dead end, so easy requests do not pay for
/// it.
///
/// Kubernetes fails the whole search on some devices, for example when a selector cannot be
/// evaluated on one. When an option has such a device, the search does not prune, so that it fails
/// exactly when Kubernetes fails.
public final class DeviceSearch {

    /// The result of a branch.
    private enum End {
        FOUND,
        DEAD,
        /// The claim exceeds the device limit, whichever devices are chosen.
        TOO_MANY,
        /// The search failed, or the step budget is exhausted.
        STOPPED
    }

    /// Maximum number of devices in one claim, by the API.
    public static final int MAX_DEVICES = 32;

    /// A device assigned to an option of a request.
    record Choice(int request, int option, int device) {}

    private final List<SearchRequest> requests;
    private final NodeDevices nodeDevices;
    private final SearchState state;
    private final DeviceAssigner assigner;
    private final ProofBudget proofBudget = new ProofBudget();
    private final FeasibilityBounds bounds;
    private final boolean exhaustive;
    private final long budget;
    private final List<Choice> choices = new ArrayList<>();
    private final int[] chosenOptions;
    private Optional<Pruner> pruner = Optional.empty();
    private boolean pruning;
    private long steps;
    private long proofs;
    private Optional<String> fault = Optional.empty();

    public DeviceSearch(
            NodeDevices nodeDevices, SearchState state, List<SearchRequest> requests, long budget) {
        this.requests = requests;
        this.nodeDevices = nodeDevices;
        this.state = state;
        this.assigner = new DeviceAssigner(nodeDevices, state);
        this.bounds = new FeasibilityBounds(nodeDevices, state, assigner, requests, proofBudget);
        this.exhaustive =
                requests.stream()
                        .flatMap(r -> r.options().stream())
                        .anyMatch(RequestOption::hasFaults);
        this.budget = budget;
        this.chosenOptions = new int[requests.size()];
    }

    /// The outcome of the search.
    public sealed interface Outcome {
        record Found(Solution solution) implements Outcome {}

        record NotFound() implements Outcome {}

        record Failed(String message) implements Outcome {}

        record OutOfBudget() implements Outcome {}
    }

    public Outcome run() {
        if (!exhaustive && !mayFit(0, FeasibilityBounds.UNDECIDED, 0, -1)) {
            return new Outcome.NotFound();
        }
        return switch (request(0, 0, 0)) {
            case FOUND -> new Outcome.Found(Solution.of(requests, chosenOptions, choices));
            case DEAD, TOO_MANY -> new Outcome.NotFound();
            case STOPPED ->
                    fault.<Outcome>map(Outcome.Failed::new).orElseGet(Outcome.OutOfBudget::new);
        };
    }

    private boolean mayFit(int number, int optionNumber, int done, int last) {
        var mayFit = bounds.mayFit(number, optionNumber, done, last);
        proofs += mayFit ? 0 : 1;
        return mayFit;
    }

    public long steps() {
        return steps;
    }

    /// The number of dead ends that [FeasibilityBounds] proved.
    public long proofs() {
        return proofs;
    }

    /// Data structures for pruning, created after the first dead end.
    private record Pruner(DeviceSymmetry symmetry, FailedStateCache failedStates) {}

    private Pruner pruner() {
        return pruner.orElseGet(() -> {
            var symmetry = new DeviceSymmetry(nodeDevices, state, requests);
            var made =
                    new Pruner(
                            symmetry,
                            new FailedStateCache(
                                    nodeDevices, state, requests, symmetry, exhaustive));
            pruner = Optional.of(made);
            return made;
        });
    }

    /// @param taken devices assigned so far to the claim of the previous request
    /// @param previous the device assigned last, the lower bound for an interchangeable request
    private End request(int number, int taken, int previous) {
        if (number == requests.size()) {
            steps++;
            return End.FOUND;
        }
        var request = requests.get(number);
        var already = request.firstOfClaim() ? 0 : taken;
        var from = request.interchangeableWithPrevious() && !exhaustive ? previous : 0;
        if (!pruning || !request.prioritized()) {
            return ofClaim(number, options(number, request, already, from));
        }
        var key = pruner().failedStates.key(number, -1, 0, from, already);
        if (pruner().failedStates.hasFailed(key)) {
            return End.DEAD;
        }
        var end = options(number, request, already, from);
        if (end == End.DEAD) {
            pruner().failedStates.add(key);
        }
        return ofClaim(number, end);
    }

    /// The limit is per claim: for the claims before it, a claim over the limit is an ordinary dead
    /// end.
    private End ofClaim(int number, End end) {
        return end == End.TOO_MANY && number > 0 && requests.get(number).firstOfClaim()
                ? End.DEAD
                : end;
    }

    private End options(int number, SearchRequest request, int taken, int from) {
        if (!request.prioritized()) {
            chosenOptions[number] = 0;
            return device(number, 0, 0, from, taken);
        }
        steps++;
        var onlyTooMany = true;
        for (var option = 0; option < request.options().size(); option++) {
            chosenOptions[number] = option;
            var end = device(number, option, 0, from, taken);
            if (end == End.FOUND || end == End.STOPPED) {
                return end;
            }
            onlyTooMany &= end == End.TOO_MANY;
        }
        return onlyTooMany ? End.TOO_MANY : End.DEAD;
    }

    private End device(int number, int optionNumber, int nth, int from, int taken) {
        if (++steps > budget) {
            return End.STOPPED;
        }
        proofBudget.step();
        var option = requests.get(number).options().get(optionNumber);
        if (option.all() && option.count() == 0) {
            return End.DEAD;
        }
        if (nth == option.count()) {
            var last = choices.isEmpty() ? 0 : choices.getLast().device();
            return request(number + 1, taken, last);
        }
        if (taken + option.count() - nth > MAX_DEVICES) {
            return End.TOO_MANY;
        }
        if (!pruning) {
            return next(number, optionNumber, nth, from, taken);
        }
        var key = pruner().failedStates.key(number, optionNumber, nth, from, taken);
        if (pruner().failedStates.hasFailed(key)) {
            return End.DEAD;
        }
        var end = next(number, optionNumber, nth, from, taken);
        if (end == End.DEAD) {
            pruner().failedStates.add(key);
        }
        return end;
    }

    private End next(int number, int optionNumber, int nth, int from, int taken) {
        if (requests.get(number).options().get(optionNumber).all()) {
            return oneOfAll(number, optionNumber, nth, taken);
        }
        return exhaustive
                ? everyDevice(number, optionNumber, nth, from, taken)
                : promisingDevice(number, optionNumber, nth, from, taken);
    }

    private End oneOfAll(int number, int optionNumber, int nth, int taken) {
        var option = requests.get(number).options().get(optionNumber);
        var device = option.allDevices()[nth];
        if (!BitSets.has(option.candidates(), device)) {
            return End.DEAD;
        }
        return tryDevice(number, optionNumber, nth, device, taken);
    }

    /// Tries every device, as Kubernetes does.
    private End everyDevice(int number, int optionNumber, int nth, int from, int taken) {
        var option = requests.get(number).options().get(optionNumber);
        for (var device = from; device < nodeDevices.size(); device++) {
            if (assigner.isInUse(option, device)) {
                continue;
            }
            var message = option.faults().get(device);
            if (message != null) {
                fault = Optional.of(message);
                return End.STOPPED;
            }
            if (!BitSets.has(option.candidates(), device)) {
                continue;
            }
            var end = tryDevice(number, optionNumber, nth, device, taken);
            if (end != End.DEAD) {
                return end;
            }
        }
        return End.DEAD;
    }

    private End promisingDevice(int number, int optionNumber, int nth, int from, int taken) {
        var option = requests.get(number).options().get(optionNumber);
        var failed = new ArrayList<Integer>();
        for (var device = BitSets.next(option.candidates(), from);
                device >= 0;
                device = BitSets.next(option.candidates(), device + 1)) {
            if (pruning && pruner().symmetry.isInterchangeableWithAny(device, failed)) {
                continue;
            }
            var end = tryDevice(number, optionNumber, nth, device, taken);
            if (end != End.DEAD) {
                return end;
            }
            failed.add(device);
        }
        return End.DEAD;
    }

    private End tryDevice(int number, int optionNumber, int nth, int device, int taken) {
        var option = requests.get(number).options().get(optionNumber);
        if (!option.all() && !assigner.hasCapacity(option, device)) {
            return End.DEAD;
        }
        var mark = state.trail().mark();
        var result = assigner.assign(option, device);
        var end = End.DEAD;
        if (result == DeviceAssigner.Result.ASSIGNED) {
            if (exhaustive || !pruning || mayFit(number, optionNumber, nth + 1, device)) {
                choices.add(new Choice(number, optionNumber, device));
                end = device(number, optionNumber, nth + 1, device + 1, taken + 1);
                if (end == End.FOUND) {
                    return end;
                }
                choices.removeLast();
                // The first dead end: pruning pays from here on.
                pruning = true;
            }
        } else if (exhaustive) {
            end = faultOf(option, device, result);
        }
        state.trail().undoTo(mark);
        return end;
    }

    private End faultOf(RequestOption option, int device, DeviceAssigner.Result result) {
        Optional<String> message = Optional.empty();
        if (result == DeviceAssigner.Result.FAULTY) {
            message = Optional.ofNullable(option.valueFaults().get(device));
        } else if (result == DeviceAssigner.Result.CONSTRAINED && option.all()) {
            message =
                    Optional.of(
                            ("%s: cannot add device %s because a claim constraint"
                                            + " would not be satisfied")
                                    .formatted(option.label(), nodeDevices.id(device)));
        }
        if (message.isEmpty()) {
            return End.DEAD;
        }
        fault = message;
        return End.STOPPED;
    }
}
