package dev.berth.node.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What one driver says of its devices' health, at one moment.
///
/// A device that is not told again becomes unknown after its time, and is then forgotten.
record DriverHealthReport(Map<Device, Report> reports) {

    static final DriverHealthReport NOTHING = new DriverHealthReport(Map.of());

    static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);
    private static final int MOST_DEVICES = 16_384;
    private static final int MOST_CHARACTERS = 1024;

    record Device(String pool, String name) {}

    /// How a device is.
    ///
    /// @param health `Healthy`, `Unhealthy` or `Unknown`
    record Report(String health, String message, Instant until) {}

    /// A report as it arrives.
    record News(Device device, String health, String message, Duration timeout) {}

    DriverHealthReport {
        reports = Collections.unmodifiableMap(new HashMap<>(reports));
    }

    DriverHealthReport after(List<News> all, Instant now) {
        var next = new HashMap<Device, Report>();
        reports.forEach((device, report) -> {
            if (report.until.isAfter(now)) {
                next.put(device, report);
            }
        });
        for (var news : all) {
            if (next.size() < MOST_DEVICES || next.containsKey(news.device)) {
                next.put(
                        news.device,
                        new Report(
                                news.health, cut(news.message), now.plus(timeout(news.timeout))));
            }
        }
        return new DriverHealthReport(next);
    }

    /// Drivers can send numbers of seconds that no time can be added to.
    private static Duration timeout(Duration told) {
        if (!told.isPositive()) {
            return USUAL_TIMEOUT;
        }
        return told.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT : told;
    }

    private static String cut(String message) {
        return message.length() <= MOST_CHARACTERS
                ? message
                : message.substring(0, MOST_CHARACTERS - 3) + "...";
    }

    Report of(Device device, Instant now) {
        var report = reports.get(device);
        return report != null && report.until.isAfter(now)
                ? report
                : new Report("Unknown", "", Instant.MAX);
    }

    /// Devices of which something else is said now than then.
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
