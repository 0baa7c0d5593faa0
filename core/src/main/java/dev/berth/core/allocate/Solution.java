package dev.berth.core.allocate;

import dev.berth.model.api.DeviceDemand;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Devices for all requests, without the names of node, pools and claims: it holds wherever things
/// look the same.
///
/// @param wishes of each request the alternative that was chosen
/// @param taken in the order in which they were chosen
record Solution(List<Wish> wishes, List<Taken> taken) {

    /// An option as results tell of it.
    ///
    /// @param claim the number of its claim
    record Wish(int claim, String name, String request, DeviceDemand demand, boolean admin) {}

    /// A device of the arena, for a wish.
    ///
    /// @param consumed what it consumes of the device's capacities
    record Taken(Wish wish, int device, Map<String, Quantity> consumed) {}

    Solution {
        wishes = List.copyOf(wishes);
        taken = List.copyOf(taken);
    }

    /// What a search has chosen.
    ///
    /// @param options of each request the number of its option
    static Solution of(
            List<SearchRequest> requests, int[] options, List<DeviceSearch.Choice> choices) {
        var wishes = new ArrayList<Wish>();
        for (var i = 0; i < options.length; i++) {
            wishes.add(wish(requests.get(i).options().get(options[i])));
        }
        var taken = new ArrayList<Taken>();
        for (var choice : choices) {
            var option = requests.get(choice.request()).options().get(choice.option());
            var consumed = option.consumed().get(choice.device());
            taken.add(
                    new Taken(
                            wishes.get(choice.request()),
                            choice.device(),
                            consumed == null ? Map.of() : consumed));
        }
        return new Solution(wishes, taken);
    }

    private static Wish wish(RequestOption option) {
        return new Wish(
                option.claim(), option.name(), option.request(), option.demand(), option.admin());
    }
}
