package dev.berth.node.pod;

import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;

/// Downward API: values of pod fields and container resources.
public final class DownwardApiFields {

    private DownwardApiFields() {}

    /// The value of a pod field; empty for an unsupported path.
    ///
    /// @param path such as `metadata.name` or `metadata.labels['app']`
    public static Optional<String> value(JsonObject pod, String path) {
        var metadata = pod.objectOrEmpty("metadata");
        var spec = pod.objectOrEmpty("spec");
        var status = pod.objectOrEmpty("status");
        return switch (path) {
            case "metadata.name", "metadata.namespace", "metadata.uid" ->
                    Optional.of(metadata.text(path.substring("metadata.".length())));
            case "metadata.labels", "metadata.annotations" ->
                    Optional.of(
                            lines(metadata.objectOrEmpty(path.substring("metadata.".length()))));
            case "spec.nodeName", "spec.serviceAccountName" ->
                    Optional.of(spec.text(path.substring("spec.".length())));
            case "status.hostIP", "status.podIP" ->
                    Optional.of(status.text(path.substring("status.".length())));
            case "status.hostIPs", "status.podIPs" ->
                    Optional.of(
                            String.join(
                                    ",",
                                    status.objects(path.substring("status.".length())).stream()
                                            .map(one -> one.text("ip"))
                                            .toList()));
            default -> keyed(metadata, path);
        };
    }

    private static Optional<String> keyed(JsonObject metadata, String path) {
        for (var field : new String[] {"labels", "annotations"}) {
            var start = "metadata." + field + "['";
            if (path.startsWith(start) && path.endsWith("']")) {
                var key = path.substring(start.length(), path.length() - 2);
                return Optional.of(metadata.objectOrEmpty(field).text(key));
            }
        }
        return Optional.empty();
    }

    private static String lines(JsonObject texts) {
        var lines = new StringBuilder();
        texts.members().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> {
                    if (entry.getValue() instanceof JsonString(var value)) {
                        lines.append(lines.isEmpty() ? "" : "\n")
                                .append(entry.getKey())
                                .append("=\"")
                                .append(escaped(value))
                                .append('"');
                    }
                });
        return lines.toString();
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    /// The request or limit of a container in units of the divisor; a limit that is not set is the
    /// node's allocatable amount.
    ///
    /// @param reference a `resourceFieldRef`
    /// @param allocatable resources of the node for pods
    public static Optional<String> amount(
            JsonObject container, JsonObject reference, Map<String, Quantity> allocatable) {
        var parts = reference.text("resource").split("\\.", 2);
        if (parts.length < 2) {
            return Optional.empty();
        }
        var resources = container.objectOrEmpty("resources");
        var specified =
                resources.objectOrEmpty(parts[0]).string(parts[1]).flatMap(Quantity::tryParse);
        var isLimit = parts[0].equals("limits");
        var amount =
                specified.orElse(
                        isLimit
                                ? allocatable.getOrDefault(parts[1], Quantity.ZERO)
                                : Quantity.ZERO);
        var divisor =
                reference
                        .string("divisor")
                        .flatMap(Quantity::tryParse)
                        .filter(one -> one.signum() > 0)
                        .map(Quantity::amount)
                        .orElse(BigDecimal.ONE);
        return Optional.of(
                amount.amount().divide(divisor, 0, RoundingMode.CEILING).toBigInteger().toString());
    }
}
