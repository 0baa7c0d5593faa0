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

/// The DeviceClasses that come with drivers, as far as a cluster lacks them.
public final class StandardClasses {

    private static final Pattern DRIVER = Pattern.compile("device\\.driver == '([^']+)'");

    private StandardClasses() {}

    /// Creates all of them; those that exist stay as they are.
    public static void make(Cluster cluster) {
        make(cluster, HardwareProfiles.deviceClasses());
    }

    /// Creates those of the drivers of some profiles; those that exist stay as they are.
    public static void ofProfiles(Cluster cluster, Collection<HardwareProfile> profiles) {
        make(cluster, ofProfiles(profiles));
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

    /// The drivers that the selectors of a class name.
    static Set<String> drivers(JsonObject deviceClass) {
        return deviceClass.objectOrEmpty("spec").objects("selectors").stream()
                .map(one -> one.objectOrEmpty("cel").text("expression"))
                .flatMap(text -> DRIVER.matcher(text).results())
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static void make(Cluster cluster, List<JsonObject> classes) {
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
