package dev.berth.drivers.machine;

import dev.berth.node.driver.AssignedDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Derives device names, environment variables and file names.
public final class DerivedNames {

    private static final int MAX_LABEL = 63;

    private DerivedNames() {}

    /// A valid device name: lower-case letters, digits and dashes.
    public static String label(String text) {
        var plain = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        var cut = plain.substring(0, Math.min(MAX_LABEL, plain.length()));
        return cut.replaceAll("^-+|-+$", "");
    }

    /// The name of an environment variable such as `BERTH_DISK_DATA`.
    public static String variable(String driver, String name) {
        var plain = "BERTH_%s_%s".formatted(driver, name).toUpperCase(Locale.ROOT);
        return plain.replaceAll("[^A-Z0-9]+", "_");
    }

    /// Names devices after their requests. Further devices of a request get the suffixes `_1`, `_2`
    /// and so on, which cannot occur in request names.
    public static <P> Map<AssignedDevice<P>, String> byRequest(List<AssignedDevice<P>> devices) {
        var counts = new LinkedHashMap<String, Integer>();
        var names = new LinkedHashMap<AssignedDevice<P>, String>();
        for (var device : devices) {
            var request = baseRequest(device.request());
            var before = counts.merge(request, 1, Integer::sum) - 1;
            names.put(device, before == 0 ? request : request + "_" + before);
        }
        return names;
    }

    private static String baseRequest(String request) {
        var slash = request.indexOf('/');
        return slash < 0 ? request : request.substring(0, slash);
    }
}
