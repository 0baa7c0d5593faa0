package dev.berth.app.scenario;

import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextTable;
import dev.berth.app.print.TextWrap;
import dev.berth.app.scenario.ScenarioReport.Ending;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Reports for people.
public final class ScenarioReportText {

    private static final String MARGIN = "   ";
    private static final int LABEL_WIDTH = 7;

    /// Beyond so many devices of a pod, they are counted and not named.
    private static final int FEW_DEVICES = 4;

    private final Palette palette;
    private final int width;
    private final StringBuilder text = new StringBuilder();

    private ScenarioReportText(Palette palette, int width) {
        this.palette = palette;
        this.width = width;
    }

    /// Asked, given, why and how it ended, each with its label, to be printed as it is.
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
            case Ending.AsExpected _ -> {}
            case Ending.Otherwise(var step, var reason) ->
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

    private static String given(PodResult story) {
        if (story.node().isEmpty()) {
            return "pod %s waits".formatted(story.pod());
        }
        var devices =
                story.devices().size() <= FEW_DEVICES
                        ? story.devices().stream()
                                .map(ScenarioReportText::given)
                                .collect(Collectors.joining("; "))
                        : many(story);
        return "pod %s is %s on %s%s"
                .formatted(
                        story.pod(),
                        story.phase().toLowerCase(Locale.ROOT),
                        story.node(),
                        devices.isEmpty() ? "" : " with " + devices);
    }

    private static String many(PodResult story) {
        var counts = new LinkedHashMap<String, Integer>();
        for (var device : story.devices()) {
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

    private static String given(PodResult.Given device) {
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

    private static List<String> names(PodResult.Given device) {
        return device.config().stream()
                .flatMap(one -> one.names().stream())
                .filter(name -> !name.equals("apiVersion") && !name.equals("kind"))
                .distinct()
                .toList();
    }

    /// A line for each scenario, and one for all.
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
                .flatMap(story -> story.devices().stream())
                .map(PodResult.Given::id)
                .distinct()
                .count();
    }
}
