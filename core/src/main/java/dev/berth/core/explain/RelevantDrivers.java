package dev.berth.core.explain;

import dev.berth.core.cel.ListedDevice;
import dev.berth.model.api.claim.DeviceSelector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Drivers whose pools can decide a request: those with a device of a requested class, and those
/// that the selectors of a requested class name. A request for all devices fails while any pool of
/// the node is incomplete, so all drivers are relevant to it.
final class RelevantDrivers {

    /// Bound on evaluated devices per driver and class: devices of one driver are alike.
    private static final int MAX_DEVICES = 200;

    private final Set<String> drivers = new HashSet<>();

    RelevantDrivers(
            ExplainInputs inputs,
            List<RequestAlternative> alternatives,
            SelectorEvaluation selectors) {
        var all = new HashSet<String>();
        inputs.slices().forEach(slice -> all.add(slice.spec().driver()));
        if (alternatives.stream().anyMatch(RequestAlternative::allocatesAll)) {
            drivers.addAll(all);
            return;
        }
        var seen = new HashSet<String>();
        for (var alternative : alternatives) {
            if (!seen.add(alternative.demand().deviceClassName())) {
                continue;
            }
            addNamed(inputs, alternative, all);
            Map<String, Integer> evaluated = new HashMap<>();
            for (var slice : inputs.slices()) {
                var driver = slice.spec().driver();
                for (var device : slice.spec().devices()) {
                    if (drivers.contains(driver)
                            || evaluated.merge(driver, 1, Integer::sum) > MAX_DEVICES) {
                        break;
                    }
                    if (selectors.ofClass(alternative, ListedDevice.of(driver, device)).isEmpty()) {
                        drivers.add(driver);
                    }
                }
            }
        }
    }

    private void addNamed(ExplainInputs inputs, RequestAlternative alternative, Set<String> all) {
        for (var one : inputs.classes()) {
            if (!one.metadata().name().equals(alternative.demand().deviceClassName())) {
                continue;
            }
            for (var driver : all) {
                var isNamed =
                        one.spec().selectors().stream()
                                .anyMatch(selector ->
                                        selector instanceof DeviceSelector.Cel(var text)
                                                && (text.contains("'" + driver + "'")
                                                        || text.contains("\"" + driver + "\"")));
                if (isNamed) {
                    drivers.add(driver);
                }
            }
        }
    }

    boolean contains(String driver) {
        return drivers.contains(driver);
    }
}
