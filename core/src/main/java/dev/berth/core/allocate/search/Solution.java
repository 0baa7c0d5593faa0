package dev.berth.core.allocate.search;

import dev.berth.core.allocate.state.RequestOption;
import dev.berth.core.allocate.state.SearchRequest;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The devices chosen for all requests, by number. Without names of nodes, pools and claims, so it
/// is valid on every node with the same [NodeFingerprint].
///
/// @param served the chosen alternative of each request
/// @param devices the chosen devices, in the order of the search
public record Solution(List<ServedRequest> served, List<ChosenDevice> devices) {

    /// The fields of a chosen [RequestOption] that allocation results contain.
    ///
    /// @param claim the number of its claim in the request to the allocator
    public record ServedRequest(
            int claim, String name, String request, DeviceDemand demand, boolean admin) {}

    /// A device chosen for a request.
    ///
    /// @param consumed consumed capacity of a shareable device
    public record ChosenDevice(ServedRequest request, int device, Map<String, Quantity> consumed) {}

    public Solution {
        served = List.copyOf(served);
        devices = List.copyOf(devices);
    }

    /// The solution of a search.
    ///
    /// @param options the number of the chosen option of each request
    static Solution of(
            List<SearchRequest> requests, int[] options, List<DeviceSearch.Choice> choices) {
        var served = new ArrayList<ServedRequest>();
        for (var i = 0; i < options.length; i++) {
            served.add(served(requests.get(i).options().get(options[i])));
        }
        var devices = new ArrayList<ChosenDevice>();
        for (var choice : choices) {
            var option = requests.get(choice.request()).options().get(choice.option());
            var consumed = option.consumed().get(choice.device());
            devices.add(
                    new ChosenDevice(
                            served.get(choice.request()),
                            choice.device(),
                            consumed == null ? Map.of() : consumed));
        }
        return new Solution(served, devices);
    }

    private static ServedRequest served(RequestOption option) {
        return new ServedRequest(
                option.claim(), option.name(), option.request(), option.demand(), option.admin());
    }
}
