package dev.berth.node.driver;

import java.time.Duration;

/// Health of a device, as a driver reports it.
///
/// @param validity how long the kubelet trusts the report without a new one; then health becomes
///   unknown
public record DeviceHealth(
        String pool, String device, Status status, String message, Duration validity) {

    /// The kubelet's default health timeout.
    public static final Duration DEFAULT_VALIDITY = Duration.ofSeconds(30);

    /// Health status of the DRAResourceHealth API.
    public enum Status {
        UNKNOWN,
        HEALTHY,
        UNHEALTHY
    }

    public static DeviceHealth healthy(String pool, String device) {
        return new DeviceHealth(pool, device, Status.HEALTHY, "", DEFAULT_VALIDITY);
    }

    public static DeviceHealth unhealthy(String pool, String device, String message) {
        return new DeviceHealth(pool, device, Status.UNHEALTHY, message, DEFAULT_VALIDITY);
    }
}
