package dev.berth.app.inventory;

import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextWrap;
import dev.berth.core.inventory.DeviceLocality;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Draws inventories as trees: nodes, NUMA nodes, PCIe roots, devices. Lines wider than the
/// terminal are shortened, names of claims in their middle. The text contains colours and is
/// printed as is; names and values from the cluster are escaped here.
final class InventoryText {

    private static final int LEVEL = 3;
    private static final int SHORTEST_HOLDER = 12;

    private final Palette palette;
    private final int width;

    InventoryText(Palette palette, int width) {
        this.palette = palette;
        this.width = width;
    }

    /// A line and the lines below it.
    private record Branch(String text, Style style, List<Branch> below) {

        private Branch {
            text = TerminalText.escapeLine(text);
        }

        static Branch plain(String text, List<Branch> below) {
            return new Branch(text, Style.PLAIN, below);
        }
    }

    String of(List<NodeInventory> stocks) {
        var text = new StringBuilder();
        for (var stock : stocks) {
            text.append(text.isEmpty() ? "" : "\n").append(title(stock)).append('\n');
            draw(branches(stock), "", text);
        }
        return text.toString();
    }

    private String title(NodeInventory stock) {
        var counts = new ArrayList<String>();
        for (var state : NodeInventory.State.values()) {
            if (stock.count(state) > 0) {
                counts.add(stock.count(state) + " " + state.text());
            }
        }
        var number = stock.devices().size();
        var title =
                "%s: %s%s"
                        .formatted(
                                TerminalText.escapeLine(stock.title()),
                                number == 0
                                        ? "no devices"
                                        : number == 1 ? "1 device" : number + " devices",
                                counts.isEmpty() ? "" : ", " + String.join(", ", counts));
        return palette.paint(Style.HEADING, cut(title, width));
    }

    private void draw(List<Branch> branches, String indent, StringBuilder text) {
        for (var i = 0; i < branches.size(); i++) {
            var isLast = i == branches.size() - 1;
            var branch = branches.get(i);
            var line = cut(branch.text, width - indent.length() - LEVEL);
            text.append(indent)
                    .append(isLast ? "└─ " : "├─ ")
                    .append(palette.paint(branch.style, line))
                    .append('\n');
            draw(branch.below, indent + (isLast ? "   " : "│  "), text);
        }
    }

    /// The start of a line that is too wide.
    private static String cut(String line, int columns) {
        return line.length() <= columns || columns < 1
                ? line
                : line.substring(0, columns - 1) + "…";
    }

    private List<Branch> branches(NodeInventory stock) {
        var nameWidth = width(stock.devices().stream().map(i -> i.id().device()).toList());
        var driverWidth = width(stock.devices().stream().map(i -> i.id().driver()).toList());
        var byNuma = new TreeMap<String, TreeMap<String, List<Branch>>>();
        for (var item : stock.devices()) {
            byNuma.computeIfAbsent(numa(item.locality()), _ -> new TreeMap<>())
                    .computeIfAbsent(root(item.locality()), _ -> new ArrayList<>())
                    .add(device(item, nameWidth, driverWidth));
        }
        var branches = new ArrayList<Branch>();
        byNuma.forEach((numa, byRoot) -> {
            var below = new ArrayList<Branch>();
            byRoot.forEach((root, devices) -> {
                if (root.equals(UNKNOWN)) {
                    below.addAll(devices);
                } else {
                    below.add(Branch.plain("PCIe root " + root, devices));
                }
            });
            if (numa.equals(UNKNOWN)) {
                branches.addAll(below);
            } else {
                branches.add(Branch.plain("NUMA node " + numa, below));
            }
        });
        addCounters(stock, branches);
        for (var pool : stock.unusable()) {
            var text = "pool %s, not usable: %s".formatted(pool.pool(), pool.reason());
            branches.add(new Branch(text, Style.BAD, List.of()));
        }
        return branches;
    }

    /// Sorts after every name.
    private static final String UNKNOWN = "~";

    private static String numa(DeviceLocality locality) {
        return locality.numaNodes().isEmpty()
                ? UNKNOWN
                : locality.numaNodes().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
    }

    private static String root(DeviceLocality locality) {
        return locality.pcieRoots().isEmpty() ? UNKNOWN : String.join(", ", locality.pcieRoots());
    }

    private static int width(List<String> texts) {
        return texts.stream()
                .mapToInt(text -> TerminalText.escapeLine(text).length())
                .max()
                .orElse(0);
    }

    private Branch device(NodeInventory.Item item, int nameWidth, int driverWidth) {
        var head =
                "%s  %s  %s  "
                        .formatted(
                                padded(item.id().device(), nameWidth),
                                padded(item.id().driver(), driverWidth),
                                padded(item.state().text(), 7));
        var details = new ArrayList<String>();
        item.left()
                .forEach(left ->
                        details.add(
                                "%s %s of %s left"
                                        .formatted(left.name(), left.left(), left.total())));
        item.taints().forEach(taint -> details.add("taint " + taint));
        var columns = width - LEVEL * depth(item.locality()) - head.length();
        var parts = new ArrayList<>(holders(item, details, columns));
        parts.addAll(details);
        var line = head + String.join(", ", parts);
        return new Branch(line.stripTrailing(), style(item.state()), List.of());
    }

    private static int depth(DeviceLocality locality) {
        return 1
                + (locality.numaNodes().isEmpty() ? 0 : 1)
                + (locality.pcieRoots().isEmpty() ? 0 : 1);
    }

    /// The names of a device's holders, shortened equally if the line is too wide.
    private static List<String> holders(
            NodeInventory.Item item, List<String> details, int columns) {
        var holders = item.holders().stream().map(TerminalText::escapeLine).toList();
        var taken = details.stream().mapToInt(one -> one.length() + 2).sum();
        var needed = holders.stream().mapToInt(one -> one.length() + 2).sum() - 2;
        if (holders.isEmpty() || taken + needed <= columns) {
            return holders;
        }
        var each = (columns - taken + 2) / holders.size() - 2;
        return holders.stream()
                .map(one -> TextWrap.shortened(one, Math.max(SHORTEST_HOLDER, each)))
                .toList();
    }

    private static String padded(String text, int width) {
        var safe = TerminalText.escapeLine(text);
        return safe + " ".repeat(Math.max(0, width - safe.length()));
    }

    private static Style style(NodeInventory.State state) {
        return switch (state) {
            case FREE -> Style.GOOD;
            case IN_USE -> Style.PLAIN;
            case SHARED -> Style.NOTE;
            case TAINTED -> Style.WARNING;
            case NO_COUNTERS -> Style.FAINT;
        };
    }

    private static void addCounters(NodeInventory stock, List<Branch> branches) {
        var byPool = new TreeMap<String, List<Branch>>();
        for (var counter : stock.counters()) {
            byPool.computeIfAbsent(counter.pool().toString(), _ -> new ArrayList<>())
                    .add(
                            Branch.plain(
                                    "%s: %s of %s left"
                                            .formatted(
                                                    counter.name(),
                                                    counter.left(),
                                                    counter.total()),
                                    List.of()));
        }
        byPool.forEach((pool, below) -> branches.add(Branch.plain("counters of " + pool, below)));
    }
}
