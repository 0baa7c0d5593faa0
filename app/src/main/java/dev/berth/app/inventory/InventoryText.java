package dev.berth.app.inventory;

import dev.berth.app.print.NameRanges;
import dev.berth.app.print.Palette;
import dev.berth.app.print.Palette.Style;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextWrap;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.utilisation.DeviceEntry;
import dev.berth.core.utilisation.NodeInventory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Draws inventories as trees: nodes, NUMA nodes, PCIe roots, devices. Identical nodes are one
/// tree, and devices that differ only in a number of their name are one line. Lines wider than the
/// terminal are shortened, names of pods in their middle. The text contains colours and is printed
/// as is; names and values from the cluster are escaped here.
final class InventoryText {

    private static final int LEVEL = 3;
    private static final int SHORTEST_HOLDER = 12;
    private static final int STATE_WIDTH = 7;

    /// Narrower terminals have no column for the driver.
    private static final int WIDTH_FOR_DRIVER = 100;

    /// Sorts after every name.
    private static final String UNKNOWN = "~";

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

    String of(List<NodeInventory> inventories) {
        var trees = new LinkedHashMap<List<Branch>, List<NodeInventory>>();
        for (var one : inventories) {
            trees.computeIfAbsent(branches(one), _ -> new ArrayList<>()).add(one);
        }
        var text = new StringBuilder();
        trees.forEach((tree, same) -> {
            text.append(text.isEmpty() ? "" : "\n").append(title(same)).append('\n');
            draw(tree, "", text);
        });
        return text.toString();
    }

    private String title(List<NodeInventory> same) {
        var first = same.getFirst();
        var counts = new ArrayList<String>();
        for (var state : DeviceEntry.State.values()) {
            if (first.count(state) > 0) {
                counts.add(first.count(state) + " " + state.text());
            }
        }
        var number = first.devices().size();
        var devices = number == 0 ? "no devices" : TextWrap.count(number, "device");
        var each = same.size() > 1 ? " each" : "";
        var title =
                "%s: %s%s%s"
                        .formatted(
                                names(same),
                                devices,
                                each,
                                counts.isEmpty() ? "" : ", " + String.join(", ", counts));
        return palette.paint(Style.HEADING, cut(title, width));
    }

    private static String names(List<NodeInventory> same) {
        var first = same.getFirst();
        if (first.isAllNodes()) {
            return "all nodes";
        }
        var nodes = same.stream().flatMap(one -> one.nodes().stream()).toList();
        var names = TerminalText.escapeLine(NameRanges.of(nodes));
        return first.nodes().size() > 1
                ? "nodes " + names
                : names + (same.size() > 1 ? " (%d nodes)".formatted(same.size()) : "");
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

    /// Devices that are drawn as one line.
    private record Group(
            String driver,
            DeviceLocality locality,
            DeviceEntry.State state,
            String product,
            String profile,
            List<String> details) {}

    private List<Branch> branches(NodeInventory inventory) {
        var groups = new LinkedHashMap<Group, List<String>>();
        for (var device : inventory.devices()) {
            groups.computeIfAbsent(group(device), _ -> new ArrayList<>()).add(device.id().device());
        }
        var names = new LinkedHashMap<Group, String>();
        groups.forEach((group, all) -> names.put(group, NameRanges.of(all)));
        var columns =
                new Columns(
                        widest(names.values()),
                        widest(names.keySet().stream().map(Group::driver).toList()),
                        widest(names.keySet().stream().map(Group::product).toList()));
        var byNuma = new TreeMap<String, TreeMap<String, List<Branch>>>();
        names.forEach((group, name) ->
                byNuma.computeIfAbsent(numa(group.locality), _ -> new TreeMap<>())
                        .computeIfAbsent(root(group.locality), _ -> new ArrayList<>())
                        .add(device(group, name, columns)));
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
        addUnits(inventory, branches);
        for (var pool : inventory.unusable()) {
            var text = "pool %s, not usable: %s".formatted(pool.pool(), pool.reason());
            branches.add(new Branch(text, Style.BAD, List.of()));
        }
        return branches;
    }

    private static Group group(DeviceEntry device) {
        var details = new ArrayList<String>();
        device.holders().forEach(holder -> details.add(holder.label()));
        device.left()
                .forEach(left ->
                        details.add(
                                "%s %s of %s left"
                                        .formatted(left.name(), left.left(), left.total())));
        device.taints().forEach(taint -> details.add("taint " + taint));
        var product = (device.product() + " " + device.memory()).strip();
        return new Group(
                device.id().driver(),
                device.locality(),
                device.state(),
                product,
                device.profile(),
                details);
    }

    /// Widths of the columns for names, drivers and products.
    private record Columns(int name, int driver, int product) {}

    private static int widest(Collection<String> texts) {
        return texts.stream()
                .mapToInt(text -> TerminalText.escapeLine(text).length())
                .max()
                .orElse(0);
    }

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

    private Branch device(Group group, String name, Columns columns) {
        var head = new StringBuilder(padded(name, columns.name)).append("  ");
        if (width >= WIDTH_FOR_DRIVER) {
            head.append(padded(group.driver, columns.driver)).append("  ");
        }
        head.append(padded(group.state.text(), STATE_WIDTH)).append("  ");
        if (columns.product > 0) {
            head.append(padded(group.product, columns.product)).append("  ");
        }
        var room = width - LEVEL * depth(group.locality) - head.length();
        var line = head + String.join(", ", shortened(group.details, room));
        return new Branch(line.stripTrailing(), style(group.state), List.of());
    }

    private static int depth(DeviceLocality locality) {
        return 1
                + (locality.numaNodes().isEmpty() ? 0 : 1)
                + (locality.pcieRoots().isEmpty() ? 0 : 1);
    }

    /// Details of a device, shortened equally if the line is too wide.
    private static List<String> shortened(List<String> details, int columns) {
        var safe = details.stream().map(TerminalText::escapeLine).toList();
        var needed = safe.stream().mapToInt(one -> one.length() + 2).sum() - 2;
        if (safe.isEmpty() || needed <= columns) {
            return safe;
        }
        var each = (columns + 2) / safe.size() - 2;
        return safe.stream()
                .map(one -> TextWrap.shortened(one, Math.max(SHORTEST_HOLDER, each)))
                .toList();
    }

    private static String padded(String text, int width) {
        var safe = TerminalText.escapeLine(text);
        return safe + " ".repeat(Math.max(0, width - safe.length()));
    }

    private static Style style(DeviceEntry.State state) {
        return switch (state) {
            case FREE -> Style.GOOD;
            case IN_USE -> Style.PLAIN;
            case SHARED -> Style.NOTE;
            case TAINTED -> Style.WARNING;
            case BLOCKED -> Style.FAINT;
        };
    }

    /// Adds the share in use of devices with partitions, and what is left of their counters.
    private static void addUnits(NodeInventory inventory, List<Branch> branches) {
        var byUnit = new LinkedHashMap<String, List<String>>();
        for (var unit : inventory.units()) {
            var title =
                    "%s: %d%% in use"
                            .formatted(
                                    unit.counterSet(), (int) Math.floor(unit.inUse() * 100 + 1e-9));
            byUnit.computeIfAbsent(
                            title.substring(unit.counterSet().length()) + left(inventory, unit),
                            _ -> new ArrayList<>())
                    .add(unit.counterSet());
        }
        var below = new ArrayList<Branch>();
        byUnit.forEach(
                (text, sets) -> below.add(Branch.plain(NameRanges.of(sets) + text, List.of())));
        if (!below.isEmpty()) {
            branches.add(Branch.plain("counters", below));
        }
    }

    private static String left(NodeInventory inventory, NodeInventory.UnitShare unit) {
        var counters = new LinkedHashMap<String, List<String>>();
        for (var counter : inventory.counters()) {
            var prefix = unit.counterSet() + "/";
            if (counter.pool().equals(unit.pool())
                    && counter.name().startsWith(prefix)
                    && !counter.total().equals("0")) {
                counters.computeIfAbsent(
                                " %s of %s".formatted(counter.left(), counter.total()),
                                _ -> new ArrayList<>())
                        .add(counter.name().substring(prefix.length()));
            }
        }
        var parts = new ArrayList<String>();
        counters.forEach((amounts, names) -> parts.add(NameRanges.of(names) + amounts));
        return parts.isEmpty() ? "" : "; left: " + String.join(", ", parts);
    }
}
