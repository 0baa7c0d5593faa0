package dev.berth.app.top;

import dev.berth.app.print.NameRanges;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextWrap;
import dev.berth.app.utilisation.UtilisationText;
import dev.berth.core.utilisation.ClassUtilisation;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.DeviceEntry;
import dev.berth.core.utilisation.FitSize;
import dev.berth.core.utilisation.NodeInventory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/// Draws utilisation as lines of a terminal: a line per class, then a line per node or group of
/// equal nodes with a character per device.
final class TopText {

    private static final int BAR_WIDTH = 20;
    private static final int UNIT_WIDTH = 8;
    private static final int WIDTH_FOR_HOLDERS = 80;
    private static final String GAP = "  ";
    private static final String LEGEND =
            "# in use  . free  ~ shared  x tainted  ! in use and tainted  % blocked  [#.] counters";

    private final int width;
    private final Palette palette;

    TopText(int width, Palette palette) {
        this.width = width;
        this.palette = palette;
    }

    /// One picture of a cluster.
    ///
    /// @param time time of day of the picture; empty for none
    /// @param pending number of pods without a node
    record Picture(
            String time,
            long nodes,
            long pending,
            ClusterUtilisation utilisation,
            List<NodeInventory> inventory) {}

    List<String> lines(Picture picture) {
        var lines = new ArrayList<String>();
        lines.add(palette.paint(Style.HEADING, cut(headline(picture))));
        for (var one : picture.utilisation.classes().values()) {
            if (one.total().devices() > 0) {
                lines.add(cut(classLine(one)));
            }
        }
        lines.add("");
        var rows = rows(picture);
        if (!rows.isEmpty()) {
            addTable(rows, lines);
            lines.add(palette.paint(Style.FAINT, cut(LEGEND)));
        }
        return lines;
    }

    private static String headline(Picture picture) {
        return "%s%s%s pending%s"
                .formatted(
                        TextWrap.count(picture.nodes, "node"),
                        GAP,
                        TextWrap.count(picture.pending, "pod"),
                        picture.time.isEmpty() ? "" : GAP + picture.time);
    }

    private static String classLine(ClassUtilisation one) {
        var total = one.total();
        var fits =
                UtilisationText.counts(
                        one.fits().stream()
                                .filter(fit ->
                                        fit.size() instanceof FitSize.OnOneNode
                                                || fit.size() instanceof FitSize.Partition)
                                .toList(),
                        false);
        return "%s  %s/%d %d%%  %d free  %s  fits %s"
                .formatted(
                        TerminalText.escapeLine(one.deviceClass()),
                        UtilisationText.amount(total.inUse()),
                        total.devices(),
                        total.percent(),
                        one.free(),
                        bar(one),
                        fits);
    }

    /// A bar of devices in use, partly used, unavailable and free.
    private static String bar(ClassUtilisation one) {
        var devices = (double) one.total().devices();
        var used = (int) Math.floor(one.total().inUse() / devices * BAR_WIDTH + 1e-9);
        var gone =
                Math.min(
                        BAR_WIDTH - used,
                        (int) Math.ceil(one.unavailable() / devices * BAR_WIDTH - 1e-9));
        var free = BAR_WIDTH - used - gone;
        return "[" + "#".repeat(used) + "x".repeat(gone) + ".".repeat(free) + "]";
    }

    /// A line of the table.
    private record Row(String name, String devices, String used, String holders) {}

    private static List<Row> rows(Picture picture) {
        var groups = new LinkedHashMap<Row, List<String>>();
        for (var one : picture.inventory) {
            if (!one.devices().isEmpty()) {
                var row = new Row("", devices(one), used(one), holders(one));
                groups.computeIfAbsent(row, _ -> new ArrayList<>())
                        .addAll(one.isAllNodes() ? List.of("all nodes") : one.nodes());
            }
        }
        var rows = new ArrayList<Row>();
        groups.forEach((row, nodes) -> {
            var more = nodes.size() > 1 ? " ×" + nodes.size() : "";
            rows.add(new Row(NameRanges.of(nodes) + more, row.devices, row.used, row.holders));
        });
        return rows;
    }

    private static String devices(NodeInventory one) {
        var byNuma = new TreeMap<String, TreeMap<String, StringBuilder>>();
        var drawn = new HashSet<String>();
        for (var device : one.devices()) {
            var roots = device.locality().pcieRoots();
            var root = roots.isEmpty() ? "" : roots.getFirst();
            var numa = device.locality().numaNodes();
            var cells =
                    byNuma.computeIfAbsent(
                                    numa.isEmpty() ? "" : numa.getFirst().toString(),
                                    _ -> new TreeMap<>())
                            .computeIfAbsent(root, _ -> new StringBuilder());
            if (device.counterSet().isEmpty()) {
                cells.append(cell(device));
            } else if (drawn.add(device.id().poolId() + "/" + device.counterSet())) {
                cells.append(unit(one, device));
            }
        }
        var parts = new ArrayList<String>();
        byNuma.forEach((_, roots) -> {
            var cells = new ArrayList<String>();
            roots.forEach((root, text) ->
                    cells.add(root.isEmpty() ? text.toString() : shortRoot(root) + " " + text));
            parts.add(String.join(" ", cells));
        });
        return String.join(" | ", parts);
    }

    /// The last two digits of the bus of a PCIe root: `pci0000:17` is `17`.
    private static String shortRoot(String root) {
        return root.substring(Math.max(0, root.length() - 2));
    }

    private static char cell(DeviceEntry device) {
        return switch (device.state()) {
            case FREE -> '.';
            case IN_USE -> device.taints().isEmpty() ? '#' : '!';
            case SHARED -> '~';
            case TAINTED -> 'x';
            case BLOCKED -> '%';
        };
    }

    /// The share in use of a device with partitions, as a bar.
    private static String unit(NodeInventory one, DeviceEntry device) {
        var share = one.counterShare(device.id().poolId(), device.counterSet());
        var used = (int) Math.round(share * UNIT_WIDTH);
        var shown = share > 0 ? Math.max(1, used) : used;
        return "[" + "#".repeat(shown) + ".".repeat(UNIT_WIDTH - shown) + "]";
    }

    private static String used(NodeInventory one) {
        var units = 0L;
        var inUse = 0.0;
        var counted = new HashSet<String>();
        for (var device : one.devices()) {
            var set = device.counterSet();
            if (set.isEmpty()) {
                units++;
                inUse += device.inUse();
            } else if (counted.add(device.id().poolId() + "/" + set)) {
                units++;
                inUse += one.counterShare(device.id().poolId(), set);
            }
        }
        return UtilisationText.amount(inUse) + "/" + units;
    }

    private static String holders(NodeInventory one) {
        var labels = new LinkedHashSet<String>();
        for (var device : one.devices()) {
            device.holders().forEach(holder -> labels.add(holder.label()));
        }
        if (!labels.isEmpty()) {
            var more = labels.size() > 1 ? " +" + (labels.size() - 1) : "";
            return labels.iterator().next() + more;
        }
        return one.devices().stream()
                .filter(device -> device.state() == DeviceEntry.State.TAINTED)
                .findFirst()
                .map(device -> device.id().device() + " tainted: " + device.taints().getFirst())
                .orElse("");
    }

    private void addTable(List<Row> rows, List<String> lines) {
        var hasHolders = width >= WIDTH_FOR_HOLDERS;
        var heads = new Row("NODE", "DEVICES", "USED", hasHolders ? "POD" : "");
        var name = widest(rows, Row::name, heads.name, width / 3);
        var used = widest(rows, Row::used, heads.used, width);
        var least = hasHolders ? 12 : 0;
        var devices =
                widest(rows, Row::devices, heads.devices, width - name - used - least - 3 * 2);
        lines.add(palette.paint(Style.HEADING, line(heads, name, devices, used, hasHolders)));
        for (var row : rows) {
            lines.add(line(row, name, devices, used, hasHolders));
        }
    }

    private static int widest(List<Row> rows, Function<Row, String> cell, String head, int most) {
        var widest = rows.stream().mapToInt(row -> cell.apply(row).length()).max().orElse(0);
        return Math.max(head.length(), Math.min(widest, most));
    }

    private String line(Row row, int name, int devices, int used, boolean hasHolders) {
        var text =
                padded(TextWrap.shortened(row.name, name), name)
                        + GAP
                        + padded(cut(row.devices, devices), devices)
                        + GAP
                        + padded(row.used, used)
                        + (hasHolders ? GAP + row.holders : "");
        return cut(text.stripTrailing());
    }

    private static String padded(String text, int columns) {
        var safe = TerminalText.escapeLine(text);
        return safe + " ".repeat(Math.max(0, columns - safe.length()));
    }

    private String cut(String text) {
        return cut(TerminalText.escapeLine(text), width);
    }

    private static String cut(String text, int columns) {
        return text.length() <= columns || columns < 1
                ? text
                : text.substring(0, columns - 1) + "…";
    }
}
