package dev.berth.node.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Health of one driver's devices at one moment; immutable.
///
/// A device without a new report becomes unknown after its timeout and is then removed.
record DriverHealthReport(Map<Device, DeviceStatus> reports) {

    static final DriverHealthReport EMPTY = new DriverHealthReport(Map.of());

    static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration MAX_TIMEOUT = Duration.ofDays(365);
    private static final int MAX_DEVICES = 16_384;
    private static final int MAX_CHARACTERS = 1024;

    record Device(String pool, String name) {}

    /// Health of a device.
    ///
    /// @param health `Healthy`, `Unhealthy` or `Unknown`
    /// @param until when the health expires
    record DeviceStatus(String health, String message, Instant until) {}

    /// A health report as received from the driver.
    record Update(Device device, String health, String message, Duration timeout) {}

    DriverHealthReport {
        reports = Collections.unmodifiableMap(new HashMap<>(reports));
    }

    DriverHealthReport after(List<Update> all, Instant now) {
        var next = new HashMap<Device, DeviceStatus>();
        reports.forEach((device, report) -> {
            if (report.until.isAfter(now)) {
                next.put(device, report);
            }
        });
        for (var update : all) {
            if (next.size() < MAX_DEVICES || next.containsKey(update.device)) {
                next.put(
                        update.device,
                        new DeviceStatus(
                                update.health,
                                cut(update.message),
                                now.plus(timeout(update.timeout))));
            }
        }
        return new DriverHealthReport(next);
    }

    /// Clamps timeouts: drivers can send seconds that overflow an instant.
    private static Duration timeout(Duration timeout) {
        if (!timeout.isPositive()) {
            return DEFAULT_TIMEOUT;
        }
        return timeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : timeout;
    }

    private static String cut(String message) {
        return message.length() <= MAX_CHARACTERS
                ? message
                : message.substring(0, MAX_CHARACTERS - 3) + "...";
    }

    DeviceStatus of(Device device, Instant now) {
        var report = reports.get(device);
        return report != null && report.until.isAfter(now)
                ? report
                : new DeviceStatus("Unknown", "", Instant.MAX);
    }

    /// Devices whose health or message differs.
    List<Device> differences(DriverHealthReport before) {
        var changed = new ArrayList<Device>();
        reports.forEach((device, report) -> {
            var old = before.reports.get(device);
            if (old == null
                    || !old.health.equals(report.health)
                    || !old.message.equals(report.message)) {
                changed.add(device);
            }
        });
        before.reports.keySet().stream()
                .filter(device -> !reports.containsKey(device))
                .forEach(changed::add);
        return changed;
    }
}
