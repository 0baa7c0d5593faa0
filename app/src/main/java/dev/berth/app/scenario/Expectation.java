package dev.berth.app.scenario;

import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is to come of some pods.
///
/// @param pods their name, or its beginning and `*`
/// @param count how many they are
/// @param phase of each
/// @param nodes the instance types of nodes on one of which each runs; empty for any
/// @param devices what each of them has
/// @param sameValues attributes whose value all devices of a pod have in common
/// @param together what all the pods have in common
/// @param isAnew they are others than before, with other devices
/// @param message what each is told about its placement contains all of these
/// @param event that tells of one of them, or told of one that is gone
public record Expectation(
        String pods,
        int count,
        String phase,
        List<String> nodes,
        List<Devices> devices,
        List<String> sameValues,
        Together together,
        boolean isAnew,
        List<String> message,
        Optional<Told> event) {

    public Expectation {
        nodes = List.copyOf(nodes);
        devices = List.copyOf(devices);
        sameValues = List.copyOf(sameValues);
        message = List.copyOf(message);
    }

    /// Devices of a pod.
    ///
    /// @param request that got them, as `request` or `request/alternative`; empty for any
    /// @param count how many
    /// @param where what is true of each, in CEL
    /// @param consumes how much of which capacity the pod has of each
    /// @param config what the driver is told of each, at least
    /// @param condition that the driver reports of each
    public record Devices(
            Optional<String> request,
            int count,
            Optional<String> where,
            Map<String, Quantity> consumes,
            JsonObject config,
            Optional<String> condition) {

        public Devices {
            consumes = Map.copyOf(consumes);
        }
    }

    /// What pods have in common.
    public record Together(boolean onOneNode, boolean withSameDevices) {}

    /// An event.
    ///
    /// @param message what it contains; empty for anything
    public record Told(String reason, String message) {}

    boolean isAbout(String pod) {
        return isAbout(pods, pod);
    }

    static boolean isAbout(String pattern, String pod) {
        return pattern.endsWith("*")
                ? pod.startsWith(pattern.substring(0, pattern.length() - 1))
                : pod.equals(pattern);
    }
}
