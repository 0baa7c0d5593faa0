package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.publish.DesiredPool;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Creates the DeviceClasses that vendors ship with their drivers.
public final class StandardClasses {

    private static final Pattern DRIVER = Pattern.compile("device\\.driver == '([^']+)'");

    private StandardClasses() {}

    /// Creates all of them; existing ones are unchanged.
    public static void create(Cluster cluster) {
        create(cluster, HardwareProfiles.deviceClasses());
    }

    /// Creates the classes for the drivers of these profiles; existing ones are unchanged.
    public static void createFor(Cluster cluster, Collection<HardwareProfile> profiles) {
        create(cluster, ofProfiles(profiles));
    }

    static List<JsonObject> ofProfiles(Collection<HardwareProfile> profiles) {
        var drivers =
                profiles.stream().flatMap(StandardClasses::drivers).collect(Collectors.toSet());
        return HardwareProfiles.deviceClasses().stream()
                .filter(one -> !Collections.disjoint(drivers(one), drivers))
                .toList();
    }

    private static Stream<String> drivers(HardwareProfile profile) {
        return Stream.concat(
                        profile.node("node", 0).pools().stream(), profile.sharedPools().stream())
                .map(DesiredPool::id)
                .map(pool -> pool.driver());
    }

    /// The drivers in the selectors of a class.
    static Set<String> drivers(JsonObject deviceClass) {
        return deviceClass.objectOrEmpty("spec").objects("selectors").stream()
                .map(one -> one.objectOrEmpty("cel").text("expression"))
                .flatMap(text -> DRIVER.matcher(text).results())
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static void create(Cluster cluster, List<JsonObject> classes) {
        var address = ResourcePath.of(Kinds.DEVICE_CLASS);
        for (var one : classes) {
            var outcome = cluster.send(Request.Create.of(address, "", one));
            if (!outcome.isDone() && !(outcome instanceof RequestResult.Exists)) {
                throw new IllegalStateException(
                        "device class %s: %s"
                                .formatted(
                                        one.objectOrEmpty("metadata").text("name"),
                                        outcome.message()));
            }
        }
    }
}
