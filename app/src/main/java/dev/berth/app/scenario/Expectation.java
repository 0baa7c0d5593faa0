package dev.berth.app.scenario;

import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The expected state of some pods.
///
/// @param pods name, or prefix and `*`
/// @param count number of pods
/// @param phase of each pod
/// @param nodes instance types of nodes on one of which each pod runs; empty for any
/// @param devices devices of each pod
/// @param sameValues attributes whose values are equal for all devices of a pod
/// @param together properties that all the pods share
/// @param isRecreated the pods were recreated, with other devices
/// @param message substrings of the PodScheduled condition of each pod
/// @param event about one of the pods, also a deleted one
public record Expectation(
        String pods,
        int count,
        String phase,
        List<String> nodes,
        List<Devices> devices,
        List<String> sameValues,
        Together together,
        boolean isRecreated,
        List<String> message,
        Optional<ExpectedEvent> event) {

    public Expectation {
        nodes = List.copyOf(nodes);
        devices = List.copyOf(devices);
        sameValues = List.copyOf(sameValues);
        message = List.copyOf(message);
    }

    /// Devices of a pod.
    ///
    /// @param request the request, as `request` or `request/alternative`; empty for any
    /// @param count number of devices
    /// @param where CEL expression that is true for each device
    /// @param consumes consumed capacity of each device
    /// @param config parameters for the driver, at least these
    /// @param condition reported by the driver for each device
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

    /// Properties that the pods share.
    public record Together(boolean onOneNode, boolean withSameDevices) {}

    /// An event.
    ///
    /// @param message substring; empty for any
    public record ExpectedEvent(String reason, String message) {}

    boolean isAbout(String pod) {
        return isAbout(pods, pod);
    }

    static boolean isAbout(String pattern, String pod) {
        return pattern.endsWith("*")
                ? pod.startsWith(pattern.substring(0, pattern.length() - 1))
                : pod.equals(pattern);
    }
}
