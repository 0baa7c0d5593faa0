package dev.berth.app.scenario;

import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextTable;
import dev.berth.app.print.TextWrap;
import dev.berth.app.scenario.ScenarioReport.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Formats reports of scenarios as text.
public final class ScenarioReportText {

    private static final String MARGIN = "   ";
    private static final int LABEL_WIDTH = 7;

    /// Maximum number of devices of a pod that are listed; more are counted.
    private static final int FEW_DEVICES = 4;

    private final Palette palette;
    private final int width;
    private final StringBuilder text = new StringBuilder();

    private ScenarioReportText(Palette palette, int width) {
        this.palette = palette;
        this.width = width;
    }

    /// Requests, devices, reasons and result, each with its label, to be printed as is.
    public static String of(ScenarioReport report, Palette palette, int width) {
        var writer = new ScenarioReportText(palette, width);
        writer.write(report);
        return writer.text.toString();
    }

    private void write(ScenarioReport report) {
        add("asked", Style.NOTE, report.asked());
        add("given", Style.NOTE, report.given().stream().map(ScenarioReportText::given).toList());
        add("why", Style.NOTE, report.why());
        switch (report.ending()) {
            case Result.Succeeded _ -> {}
            case Result.StepFailed(var step, var reason) ->
                    add(
                            "BUT",
                            Style.BAD,
                            List.of("\"%s\" did not come out: %s".formatted(step, reason)));
        }
    }

    private void add(String label, Style style, List<String> lines) {
        var head = palette.paint(style, label) + " ".repeat(LABEL_WIDTH - label.length());
        for (var line : lines) {
            var columns = width - MARGIN.length() - LABEL_WIDTH;
            for (var part : TextWrap.lines(TerminalText.escapeLine(line), columns, "  ")) {
                text.append((MARGIN + head + part).stripTrailing()).append('\n');
                head = " ".repeat(LABEL_WIDTH);
            }
        }
    }

    private static String given(PodResult result) {
        if (result.node().isEmpty()) {
            return "pod %s waits".formatted(result.pod());
        }
        var devices =
                result.devices().size() <= FEW_DEVICES
                        ? result.devices().stream()
                                .map(ScenarioReportText::given)
                                .collect(Collectors.joining("; "))
                        : many(result);
        return "pod %s is %s on %s%s"
                .formatted(
                        result.pod(),
                        result.phase().toLowerCase(Locale.ROOT),
                        result.node(),
                        devices.isEmpty() ? "" : " with " + devices);
    }

    private static String many(PodResult result) {
        var counts = new LinkedHashMap<String, Integer>();
        for (var device : result.devices()) {
            counts.merge(
                    "devices of %s for %s%s"
                            .formatted(
                                    device.id().driver(),
                                    device.request(),
                                    device.isAdmin() ? " (as an administrator)" : ""),
                    1,
                    Integer::sum);
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    private static String given(PodResult.AllocatedDeviceView device) {
        var details = new ArrayList<String>();
        device.shown().forEach((name, value) -> details.add(name + " " + value));
        device.consumed().forEach((name, value) -> details.add("%s of %s".formatted(value, name)));
        if (device.isAdmin()) {
            details.add("as an administrator");
        }
        for (var name : names(device)) {
            details.add("driver is told %s %s".formatted(name, device.parameter(name)));
        }
        details.addAll(device.conditions());
        return "%s %s%s"
                .formatted(
                        device.request(),
                        device.id().device(),
                        details.isEmpty() ? "" : " (" + String.join(", ", details) + ")");
    }

    private static List<String> names(PodResult.AllocatedDeviceView device) {
        return device.config().stream()
                .flatMap(one -> one.names().stream())
                .filter(name -> !name.equals("apiVersion") && !name.equals("kind"))
                .distinct()
                .toList();
    }

    /// A line for each scenario, and a total.
    public static String summary(List<ScenarioReport> reports) {
        var table = new TextTable("SCENARIO", "PODS", "DEVICES", "SECONDS", "CAME OUT");
        for (var report : reports) {
            table.add(
                    report.scenario().name(),
                    String.valueOf(pods(report)),
                    String.valueOf(devices(report)),
                    seconds(report),
                    report.isAsExpected() ? "as expected" : "otherwise");
        }
        var good = reports.stream().filter(ScenarioReport::isAsExpected).count();
        return "%s%n%d of %d scenarios came out as expected.%n"
                .formatted(table, good, reports.size());
    }

    private static String seconds(ScenarioReport report) {
        return String.format(Locale.ROOT, "%.1f", report.took().toMillis() / 1000.0);
    }

    private static long pods(ScenarioReport report) {
        return report.given().stream().map(PodResult::uid).distinct().count();
    }

    private static long devices(ScenarioReport report) {
        return report.given().stream()
                .flatMap(result -> result.devices().stream())
                .map(PodResult.AllocatedDeviceView::id)
                .distinct()
                .count();
    }
}
