package dev.berth.drivers.testing;

import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.ClaimRef;
import dev.berth.node.driver.PreparedClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Allocated claims for tests.
public final class Claims {

    private Claims() {}

    /// A UID that is unique across test runs.
    public static ClaimRef ref(String name) {
        return new ClaimRef(
                "default",
                name,
                new Uid("uid-of-%s-%d".formatted(name, ProcessHandle.current().pid())));
    }

    /// An assignment with one device per request `r0`, `r1` and so on.
    public static <P> ClaimAssignment<P> assignment(
            String claim, String driver, P parameters, String... devices) {
        var assigned = new ArrayList<AssignedDevice<P>>();
        for (var device : devices) {
            assigned.add(device("r" + assigned.size(), driver, device, Map.of(), parameters));
        }
        return new ClaimAssignment<>(ref(claim), assigned);
    }

    public static <P> AssignedDevice<P> device(
            String request,
            String driver,
            String device,
            Map<String, Quantity> consumed,
            P parameters) {
        return new AssignedDevice<>(
                request,
                new DeviceId(driver, "node-1", device),
                Optional.empty(),
                consumed,
                false,
                parameters);
    }

    public static PreparedClaim prepared(String claim) {
        return new PreparedClaim(ref(claim), List.of());
    }
}
