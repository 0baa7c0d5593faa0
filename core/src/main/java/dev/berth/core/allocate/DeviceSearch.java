package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks for devices for all requests, in the order in which Kubernetes would, and returns the
/// first solution in that order or proves that there is none.
///
/// The order is depth first: requests in turn, devices of a request as ascending combinations. What
/// makes it fast is what it leaves out, and it only leaves out what holds no solution, or only
/// solutions that come later: dead ends that [FeasibilityBounds] proves, devices that are
/// [DeviceSymmetry] twins of one that failed, requests that are copies of the one before tried in
/// descending order, and states that failed before. Easy questions pay for none of it: it begins
/// with the first dead end.
///
/// Kubernetes fails altogether on meeting some devices, for example when a selector cannot be
/// evaluated on one. When an option has such a device, nothing is left out, so that the fault is
/// met exactly when Kubernetes meets it.
final class DeviceSearch {

    /// How a branch ended.
    private enum End {
        FOUND,
        DEAD,
        /// No choice of devices helps: the claim has too many, whichever they are.
        TOO_MANY,
        /// A fault was met, or the budget is used up.
        STOPPED
    }

    /// Devices in one claim, by the API.
    static final int MAX_DEVICES = 32;

    /// One device for one option.
    record Choice(int request, int option, int device) {}

    private final List<SearchRequest> requests;
    private final NodeDevices arena;
    private final SearchState state;
    private final DeviceAssigner placement;
    private final ProofBudget effort = new ProofBudget();
    private final FeasibilityBounds bounds;
    private final boolean literal;
    private final long budget;
    private final List<Choice> choices = new ArrayList<>();
    private final int[] chosenOptions;
    private Optional<Lookout> lookout = Optional.empty();
    private boolean careful;
    private long steps;
    private Optional<String> fault = Optional.empty();

    DeviceSearch(NodeDevices arena, SearchState state, List<SearchRequest> requests, long budget) {
        this.requests = requests;
        this.arena = arena;
        this.state = state;
        this.placement = new DeviceAssigner(arena, state);
        this.bounds = new FeasibilityBounds(arena, state, placement, requests, effort);
        this.literal =
                requests.stream()
                        .flatMap(r -> r.options().stream())
                        .anyMatch(RequestOption::hasFaults);
        this.budget = budget;
        this.chosenOptions = new int[requests.size()];
    }

    /// What came of the search.
    sealed interface Finding {
        record Found(Solution solution) implements Finding {}

        record Nothing() implements Finding {}

        record Fault(String message) implements Finding {}

        record OutOfBudget() implements Finding {}
    }

    Finding run() {
        if (!literal && !bounds.leaveHope(0, FeasibilityBounds.UNDECIDED, 0, -1)) {
            return new Finding.Nothing();
        }
        return switch (request(0, 0, 0)) {
            case FOUND -> new Finding.Found(Solution.of(requests, chosenOptions, choices));
            case DEAD, TOO_MANY -> new Finding.Nothing();
            case STOPPED ->
                    fault.<Finding>map(Finding.Fault::new).orElseGet(Finding.OutOfBudget::new);
        };
    }

    long steps() {
        return steps;
    }

    /// What only a search with dead ends needs.
    private record Lookout(DeviceSymmetry symmetry, FailedStateCache memory) {}

    private Lookout lookout() {
        return lookout.orElseGet(() -> {
            var symmetry = new DeviceSymmetry(arena, state, requests);
            var made =
                    new Lookout(
                            symmetry,
                            new FailedStateCache(arena, state, requests, symmetry, literal));
            lookout = Optional.of(made);
            return made;
        });
    }

    /// @param taken devices chosen for the claim of the request before
    /// @param previous the device chosen last, for requests that are like the one before
    private End request(int number, int taken, int previous) {
        if (number == requests.size()) {
            steps++;
            return End.FOUND;
        }
        var request = requests.get(number);
        var already = request.firstOfClaim() ? 0 : taken;
        var from = request.likePrevious() && !literal ? previous : 0;
        if (!careful || !request.prioritized()) {
            return ofClaim(number, options(number, request, already, from));
        }
        var here = lookout().memory.here(number, -1, 0, from, already);
        if (lookout().memory.isDead(here)) {
            return End.DEAD;
        }
        var end = options(number, request, already, from);
        if (end == End.DEAD) {
            lookout().memory.remember(here);
        }
        return ofClaim(number, end);
    }

    /// Another claim may have fewer devices when this one has too many.
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
        effort.step();
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
        if (!careful) {
            return next(number, optionNumber, nth, from, taken);
        }
        var here = lookout().memory.here(number, optionNumber, nth, from, taken);
        if (lookout().memory.isDead(here)) {
            return End.DEAD;
        }
        var end = next(number, optionNumber, nth, from, taken);
        if (end == End.DEAD) {
            lookout().memory.remember(here);
        }
        return end;
    }

    private End next(int number, int optionNumber, int nth, int from, int taken) {
        if (requests.get(number).options().get(optionNumber).all()) {
            return oneOfAll(number, optionNumber, nth, taken);
        }
        return literal
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

    /// As Kubernetes does it, device by device.
    private End everyDevice(int number, int optionNumber, int nth, int from, int taken) {
        var option = requests.get(number).options().get(optionNumber);
        for (var device = from; device < arena.size(); device++) {
            if (placement.isInUse(option, device)) {
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
            if (careful && lookout().symmetry.isTwinOfAny(device, failed)) {
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
        if (!option.all() && !placement.hasRoom(option, device)) {
            return End.DEAD;
        }
        var mark = state.trail().mark();
        var result = placement.place(option, device);
        var end = End.DEAD;
        if (result == DeviceAssigner.Result.PLACED) {
            if (literal || !careful || bounds.leaveHope(number, optionNumber, nth + 1, device)) {
                choices.add(new Choice(number, optionNumber, device));
                end = device(number, optionNumber, nth + 1, device + 1, taken + 1);
                if (end == End.FOUND) {
                    return end;
                }
                choices.removeLast();
                // The first dead end: from here on it pays to look ahead.
                careful = true;
            }
        } else if (literal) {
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
                                    .formatted(option.label(), arena.id(device)));
        }
        if (message.isEmpty()) {
            return End.DEAD;
        }
        fault = message;
        return End.STOPPED;
    }
}
