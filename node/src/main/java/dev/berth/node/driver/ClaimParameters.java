package dev.berth.node.driver;

import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConfigSource;
import dev.berth.model.api.claim.DeviceAllocationConfiguration;
import dev.berth.model.api.claim.DeviceConfiguration;
import java.util.ArrayList;
import java.util.List;

/// Decodes the opaque configuration of a claim and selects the parameters of each device: claim
/// parameters override class parameters, and the last of several wins.
final class ClaimParameters<P> {

    private record Entry<P>(boolean isOfClaim, List<String> requests, P parameters) {

        boolean appliesTo(String request) {
            var slash = request.indexOf('/');
            return requests.isEmpty()
                    || requests.contains(request)
                    || (slash >= 0 && requests.contains(request.substring(0, slash)));
        }
    }

    private final Parameters<P> format;
    private final List<Entry<P>> entries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    ClaimParameters(Parameters<P> format, String driver, AllocationResult allocation) {
        this.format = format;
        for (var i = 0; i < allocation.config().size(); i++) {
            var config = allocation.config().get(i);
            if (config.configuration() instanceof DeviceConfiguration.Opaque opaque
                    && opaque.driver().equals(driver)) {
                read(i, config, opaque);
            }
        }
    }

    private void read(
            int index, DeviceAllocationConfiguration config, DeviceConfiguration.Opaque opaque) {
        var isOfClaim = config.source() == ConfigSource.Known.FROM_CLAIM;
        switch (format.read(opaque.parameters())) {
            case Parameters.Result.Valid<P>(var parameters) ->
                    entries.add(new Entry<>(isOfClaim, config.requests(), parameters));
            case Parameters.Result.Invalid<P>(var found) ->
                    problems.add(
                            "parameters %d (of the %s): %s"
                                    .formatted(
                                            index,
                                            isOfClaim ? "claim" : "class",
                                            String.join("; ", found)));
        }
    }

    /// Decoding errors.
    List<String> problems() {
        return problems;
    }

    P of(String request) {
        var found = format.defaults();
        var isOfClaim = false;
        for (var entry : entries) {
            if (entry.appliesTo(request) && (entry.isOfClaim || !isOfClaim)) {
                found = entry.parameters;
                isOfClaim = entry.isOfClaim;
            }
        }
        return found;
    }
}
