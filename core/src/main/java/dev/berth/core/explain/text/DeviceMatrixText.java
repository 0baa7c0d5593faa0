package dev.berth.core.explain.text;

import dev.berth.core.explain.DeviceMatrix;
import dev.berth.model.api.slice.DeviceId;
import java.util.stream.Collectors;

/// Renders the devices of a node and their checks as text, one line per request and device.
public final class DeviceMatrixText {

    private DeviceMatrixText() {}

    public static String of(DeviceMatrix matrix) {
        if (matrix.rows().isEmpty()) {
            return "Node %s has no devices for unallocated requests.\n".formatted(matrix.node());
        }
        var width =
                matrix.rows().stream()
                        .map(DeviceMatrix.Row::device)
                        .map(DeviceId::toString)
                        .mapToInt(String::length)
                        .max()
                        .orElse(0);
        var text = new StringBuilder("Devices of node %s:\n".formatted(matrix.node()));
        for (var row : matrix.rows()) {
            text.append(
                    "  request %s  %s  %s\n"
                            .formatted(
                                    row.request(),
                                    padded(row.device().toString(), width),
                                    row.failures().isEmpty()
                                            ? "available"
                                            : row.failures().stream()
                                                    .map(DeviceMatrix.Failure::text)
                                                    .distinct()
                                                    .collect(Collectors.joining("; "))));
        }
        return text.toString();
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
