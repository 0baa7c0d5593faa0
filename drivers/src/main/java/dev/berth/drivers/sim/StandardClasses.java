package dev.berth.drivers.sim;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Outcome;
import dev.berth.client.Request;
import dev.berth.model.codec.Kinds;

/// The DeviceClasses that come with drivers, as far as a cluster lacks them.
public final class StandardClasses {

    private StandardClasses() {}

    /// Makes them; those that somebody has changed stay as they are.
    public static void make(Cluster cluster) {
        var address = Address.of(Kinds.DEVICE_CLASS);
        for (var one : Profiles.deviceClasses()) {
            var outcome = cluster.send(Request.Create.of(address, "", one));
            if (!outcome.isDone() && !(outcome instanceof Outcome.Exists)) {
                throw new IllegalStateException(
                        "device class %s: %s"
                                .formatted(
                                        one.objectOrEmpty("metadata").text("name"),
                                        outcome.message()));
            }
        }
    }
}
