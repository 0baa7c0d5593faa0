package dev.berth.drivers.sim;

import dev.berth.core.publish.SliceCommand;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.List;

/// The objects of one node with a hardware profile, as a simulated cluster has them, for plans.
/// Devices that several nodes share are not included.
///
/// @param node the Node, with the name of the profile
/// @param slices the ResourceSlices of the node
/// @param classes the DeviceClasses that vendors ship for its drivers
public record ProfileNode(JsonObject node, List<ResourceSlice> slices, List<JsonObject> classes) {

    public ProfileNode {
        slices = List.copyOf(slices);
        classes = List.copyOf(classes);
    }

    /// The first node of a profile.
    ///
    /// @throws InvalidProfileException with the reason
    public static ProfileNode of(HardwareProfile profile, Instant now) {
        var nodeSpec = profile.node(profile.name(), 0);
        var slices =
                new SliceReconciler(List.of())
                        .commands(nodeSpec.pools(), List.of()).stream()
                                .filter(SliceCommand.Create.class::isInstance)
                                .map(command -> ((SliceCommand.Create) command).slice())
                                .toList();
        return new ProfileNode(
                NodeObjects.node(nodeSpec, 1, false, now),
                slices,
                StandardClasses.ofProfiles(List.of(profile)));
    }
}
