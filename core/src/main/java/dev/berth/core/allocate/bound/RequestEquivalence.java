package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.RequestOption;
import dev.berth.core.allocate.state.SearchRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;

/// Equivalence classes ("kinds") of options and requests that the same devices can serve.
///
/// Pods often repeat equal requests, and a bound for one holds for all of its kind. The remaining
/// requests of each kind are counted in advance, for every position of the search.
final class RequestEquivalence {

    private final List<RequestOption> options = new ArrayList<>();
    private final IdentityHashMap<RequestOption, Integer> kindOfOption = new IdentityHashMap<>();
    private final List<SearchRequest> requests = new ArrayList<>();
    private final int[][] needFrom;
    private final int[][] largestFrom;
    private final int[][] requestsFrom;

    RequestEquivalence(List<SearchRequest> all) {
        var kinds = new HashMap<List<Integer>, Integer>();
        var kindOfRequest = new int[all.size()];
        for (var i = 0; i < kindOfRequest.length; i++) {
            var request = all.get(i);
            var description = describe(request);
            if (!kinds.containsKey(description)) {
                kinds.put(description, requests.size());
                requests.add(request);
            }
            kindOfRequest[i] = kinds.getOrDefault(description, 0);
        }
        needFrom = new int[all.size() + 1][requests.size()];
        largestFrom = new int[all.size() + 1][requests.size()];
        requestsFrom = new int[all.size() + 1][requests.size()];
        for (var i = all.size() - 1; i >= 0; i--) {
            needFrom[i] = needFrom[i + 1].clone();
            largestFrom[i] = largestFrom[i + 1].clone();
            requestsFrom[i] = requestsFrom[i + 1].clone();
            var kind = kindOfRequest[i];
            var count = all.get(i).options().getFirst().count();
            needFrom[i][kind] += count;
            largestFrom[i][kind] = Math.max(largestFrom[i][kind], count);
            requestsFrom[i][kind]++;
        }
    }

    /// The device count of a request without alternatives is not part of its kind, because such
    /// counts add up.
    private List<Integer> describe(SearchRequest request) {
        var description = new ArrayList<Integer>();
        for (var option : request.options()) {
            description.add(kindOf(option));
            description.add(option.all() || option.count() == 0 ? -1 : 0);
            description.add(request.options().size() > 1 ? option.count() : 0);
        }
        return description;
    }

    /// The kind of an option, as a number.
    int kindOf(RequestOption option) {
        var known = kindOfOption.get(option);
        if (known != null) {
            return known;
        }
        var kind = 0;
        while (kind < options.size() && !areEquivalent(options.get(kind), option)) {
            kind++;
        }
        if (kind == options.size()) {
            options.add(option);
        }
        kindOfOption.put(option, kind);
        return kind;
    }

    private static boolean areEquivalent(RequestOption a, RequestOption b) {
        return a.admin() == b.admin()
                && (!a.admin() || a.claim() == b.claim())
                && a.constraints().equals(b.constraints())
                && InterchangeableRequests.haveSameValues(a, b)
                && Arrays.equals(a.candidates(), b.candidates())
                && Arrays.deepEquals(a.needs(), b.needs());
    }

    /// The number of kinds of options.
    int options() {
        return options.size();
    }

    /// One request of each kind.
    List<SearchRequest> requests() {
        return requests;
    }

    /// Devices needed by the requests of a kind, from request number `from` on.
    int need(int from, int kind) {
        return needFrom[from][kind];
    }

    /// The largest device count of one of these requests.
    int largest(int from, int kind) {
        return largestFrom[from][kind];
    }

    /// The number of these requests.
    int requests(int from, int kind) {
        return requestsFrom[from][kind];
    }
}
