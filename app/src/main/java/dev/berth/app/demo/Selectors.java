package dev.berth.app.demo;

import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;

/// The expressions of a claim.
final class Selectors {

    private Selectors() {}

    static List<String> of(ResourceClaim claim) {
        var expressions = new ArrayList<String>();
        for (var request : claim.spec().requests()) {
            switch (request) {
                case DeviceRequest.Exactly exactly -> add(exactly.demand(), expressions);
                case DeviceRequest.FirstAvailable list ->
                        list.alternatives().forEach(a -> add(a.demand(), expressions));
                case DeviceRequest.Unrecognised _ -> {}
            }
        }
        return expressions;
    }

    private static void add(DeviceDemand demand, List<String> expressions) {
        for (var selector : demand.selectors()) {
            if (selector instanceof DeviceSelector.Cel(var expression)) {
                expressions.add(expression);
            }
        }
    }
}
