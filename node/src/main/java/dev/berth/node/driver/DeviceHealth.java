package dev.berth.node.driver;

import java.time.Duration;

/// How a device is.
///
/// @param validity after which a kubelet no longer believes it, when it is not told again
public record DeviceHealth(
        String pool, String device, Status status, String message, Duration validity) {

    /// What a kubelet assumes when nothing else is said.
    public static final Duration USUAL_VALIDITY = Duration.ofSeconds(30);

    /// Whether it works.
    public enum Status {
        UNKNOWN,
        HEALTHY,
        UNHEALTHY
    }

    public static DeviceHealth healthy(String pool, String device) {
        return new DeviceHealth(pool, device, Status.HEALTHY, "", USUAL_VALIDITY);
    }

    public static DeviceHealth unhealthy(String pool, String device, String message) {
        return new DeviceHealth(pool, device, Status.UNHEALTHY, message, USUAL_VALIDITY);
    }
}
