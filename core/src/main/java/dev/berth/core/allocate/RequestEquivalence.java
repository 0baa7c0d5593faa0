package dev.berth.core.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;

/// Which options and requests are alike: whatever can serve one can serve the other.
///
/// Many questions ask the same again and again, and what is said of one holds for all. The requests
/// of a kind that are still to be served are counted beforehand.
final class RequestEquivalence {

    private final List<RequestOption> options = new ArrayList<>();
    private final IdentityHashMap<RequestOption, Integer> kindOfOption = new IdentityHashMap<>();
    private final List<SearchRequest> requests = new ArrayList<>();
    private final int[][] needFrom;
    private final int[][] atOnceFrom;
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
        atOnceFrom = new int[all.size() + 1][requests.size()];
        requestsFrom = new int[all.size() + 1][requests.size()];
        for (var i = all.size() - 1; i >= 0; i--) {
            needFrom[i] = needFrom[i + 1].clone();
            atOnceFrom[i] = atOnceFrom[i + 1].clone();
            requestsFrom[i] = requestsFrom[i + 1].clone();
            var kind = kindOfRequest[i];
            var count = all.get(i).options().getFirst().count();
            needFrom[i][kind] += count;
            atOnceFrom[i][kind] = Math.max(atOnceFrom[i][kind], count);
            requestsFrom[i][kind]++;
        }
    }

    /// How many a request without alternatives wants makes no difference: wishes add up.
    private List<Integer> describe(SearchRequest request) {
        var description = new ArrayList<Integer>();
        for (var option : request.options()) {
            description.add(kindOf(option));
            description.add(option.all() || option.count() == 0 ? -1 : 0);
            description.add(request.options().size() > 1 ? option.count() : 0);
        }
        return description;
    }

    /// The number of the kind of an option.
    int kindOf(RequestOption option) {
        var known = kindOfOption.get(option);
        if (known != null) {
            return known;
        }
        var kind = 0;
        while (kind < options.size() && !areAlike(options.get(kind), option)) {
            kind++;
        }
        if (kind == options.size()) {
            options.add(option);
        }
        kindOfOption.put(option, kind);
        return kind;
    }

    private static boolean areAlike(RequestOption a, RequestOption b) {
        return a.admin() == b.admin()
                && (!a.admin() || a.claim() == b.claim())
                && a.constraints().equals(b.constraints())
                && InterchangeableRequests.haveSameValues(a, b)
                && Arrays.equals(a.candidates(), b.candidates())
                && Arrays.deepEquals(a.needs(), b.needs());
    }

    /// How many kinds of options there are.
    int options() {
        return options.size();
    }

    /// One request of each kind.
    List<SearchRequest> requests() {
        return requests;
    }

    /// Devices wanted by the requests of a kind, from one request on.
    int need(int from, int kind) {
        return needFrom[from][kind];
    }

    /// The most devices that one of them wants.
    int atOnce(int from, int kind) {
        return atOnceFrom[from][kind];
    }

    /// How many of them there are.
    int requests(int from, int kind) {
        return requestsFrom[from][kind];
    }
}
