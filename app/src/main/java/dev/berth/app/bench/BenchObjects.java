package dev.berth.app.bench;

import java.util.regex.Pattern;

/// Objects that the server benchmark creates.
final class BenchObjects {

    /// Size of a claim whose status a driver has filled in.
    private static final int CLAIM_BYTES = 2_048;

    private static final int DEVICES = 8;
    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\": ?\"([0-9]+)\"");

    private BenchObjects() {}

    static String namespace(String name) {
        return """
        {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}\
        """
                .formatted(name);
    }

    static String configMap(String name) {
        return """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"a":"b"}}\
        """
                .formatted(name);
    }

    static String claim(String name) {
        var text =
                """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s",\
                "labels":{"app":"bench"},"annotations":{"bench/filler":"%%s"}},"spec":{"devices":{\
                "requests":[{"name":"gpus","exactly":{"deviceClassName":"gpu.example.com",\
                "allocationMode":"ExactCount","count":2,"selectors":[{"cel":{"expression":\
                "device.attributes['gpu.example.com'].model == 'a100'"}}]}},{"name":"nic",\
                "exactly":{"deviceClassName":"nic.example.com","count":1}}],"constraints":[\
                {"requests":["gpus","nic"],"matchAttribute":"example.com/numaNode"}],"config":[\
                {"requests":["gpus"],"opaque":{"driver":"gpu.example.com","parameters":\
                {"apiVersion":"gpu.example.com/v1","kind":"GpuConfig","sharing":\
                {"strategy":"TimeSlicing","timeSlicingConfig":{"interval":"Long"}}}}}]}}}\
                """
                        .formatted(name);
        return text.formatted("f".repeat(Math.max(0, CLAIM_BYTES - text.length() + 2)));
    }

    static String slice(String name, int number) {
        var devices = new StringBuilder();
        for (var i = 0; i < DEVICES; i++) {
            devices.append(i == 0 ? "" : ",")
                    .append(
                            """
                            {"name":"gpu-%d","attributes":{"model":{"string":"a100"},"uuid":\
                            {"string":"gpu-%d-%d"},"driverVersion":{"version":"555.42.6"},\
                            "numaNode":{"int":%d},"healthy":{"bool":true}},"capacity":{"memory":\
                            {"value":"80Gi"},"cores":{"value":"108"}}}\
                            """
                                    .formatted(i, number, i, i / 4));
        }
        return """
        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%s",\
        "labels":{"berth-bench":"yes"}},"spec":{"driver":"gpu.example.com","nodeName":\
        "bench-%d","pool":{"name":"bench-%d","generation":1,"resourceSliceCount":1},\
        "devices":[%s]}}\
        """
                .formatted(name, number, number, devices);
    }

    /// The resourceVersion of a list.
    static String revision(String list) {
        var found = REVISION.matcher(list);
        if (!found.find()) {
            throw new IllegalStateException("a list without a resourceVersion");
        }
        return found.group(1);
    }
}
