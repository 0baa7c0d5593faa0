package dev.berth.app.inventory;

import dev.berth.app.print.TerminalText;
import dev.berth.core.inventory.Locality;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Draws stocks as trees: nodes, NUMA nodes, PCIe roots, devices. The text has colours, so that it
/// is printed as it is; names and values from the cluster are escaped here.
final class StockText {

    private static final String RESET = "\u001b[0m";

    private final boolean colours;

    StockText(boolean colours) {
        this.colours = colours;
    }

    /// A line and what hangs below it.
    private record Branch(String text, List<Branch> below) {

        static Branch plain(String text, List<Branch> below) {
            return new Branch(TerminalText.escapeLine(text), below);
        }
    }

    String of(List<Stock> stocks) {
        var text = new StringBuilder();
        for (var stock : stocks) {
            text.append(text.isEmpty() ? "" : "\n").append(title(stock)).append('\n');
            draw(branches(stock), "", text);
        }
        return text.toString();
    }

    private static String title(Stock stock) {
        var counts = new ArrayList<String>();
        for (var state : Stock.State.values()) {
            if (stock.count(state) > 0) {
                counts.add(stock.count(state) + " " + state.text());
            }
        }
        var number = stock.devices().size();
        return "%s: %s%s"
                .formatted(
                        TerminalText.escapeLine(stock.title()),
                        number == 0 ? "no devices" : number == 1 ? "1 device" : number + " devices",
                        counts.isEmpty() ? "" : ", " + String.join(", ", counts));
    }

    private static void draw(List<Branch> branches, String indent, StringBuilder text) {
        for (var i = 0; i < branches.size(); i++) {
            var isLast = i == branches.size() - 1;
            var branch = branches.get(i);
            text.append(indent).append(isLast ? "└─ " : "├─ ").append(branch.text).append('\n');
            draw(branch.below, indent + (isLast ? "   " : "│  "), text);
        }
    }

    private List<Branch> branches(Stock stock) {
        var nameWidth = width(stock.devices().stream().map(i -> i.id().device()).toList());
        var driverWidth = width(stock.devices().stream().map(i -> i.id().driver()).toList());
        var byNuma = new TreeMap<String, TreeMap<String, List<Branch>>>();
        for (var item : stock.devices()) {
            byNuma.computeIfAbsent(numa(item.locality()), _ -> new TreeMap<>())
                    .computeIfAbsent(root(item.locality()), _ -> new ArrayList<>())
                    .add(new Branch(line(item, nameWidth, driverWidth), List.of()));
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
                branches.add(new Branch("NUMA node " + numa, below));
            }
        });
        addCounters(stock, branches);
        for (var pool : stock.unusable()) {
            var text = "pool %s, not usable: %s".formatted(pool.pool(), pool.reason());
            branches.add(new Branch(coloured(text, "\u001b[31m"), List.of()));
        }
        return branches;
    }

    /// Sorts behind every name.
    private static final String UNKNOWN = "~";

    private static String numa(Locality locality) {
        return locality.numaNodes().isEmpty()
                ? UNKNOWN
                : locality.numaNodes().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
    }

    private static String root(Locality locality) {
        return locality.pcieRoots().isEmpty() ? UNKNOWN : String.join(", ", locality.pcieRoots());
    }

    private static int width(List<String> texts) {
        return texts.stream()
                .mapToInt(text -> TerminalText.escapeLine(text).length())
                .max()
                .orElse(0);
    }

    private String line(Stock.Item item, int nameWidth, int driverWidth) {
        var parts = new ArrayList<String>();
        parts.addAll(item.holders());
        item.left()
                .forEach(left ->
                        parts.add(
                                "%s %s of %s left"
                                        .formatted(left.name(), left.left(), left.total())));
        item.taints().forEach(taint -> parts.add("taint " + taint));
        var text =
                "%s  %s  %s  %s"
                        .formatted(
                                padded(item.id().device(), nameWidth),
                                padded(item.id().driver(), driverWidth),
                                padded(item.state().text(), 7),
                                String.join(", ", parts));
        return coloured(text.stripTrailing(), colour(item.state()));
    }

    private static String padded(String text, int width) {
        var safe = TerminalText.escapeLine(text);
        return safe + " ".repeat(Math.max(0, width - safe.length()));
    }

    private static String colour(Stock.State state) {
        return switch (state) {
            case FREE -> "\u001b[32m";
            case IN_USE -> "";
            case SHARED -> "\u001b[36m";
            case TAINTED -> "\u001b[33m";
            case NO_COUNTERS -> "\u001b[2m";
        };
    }

    private String coloured(String text, String colour) {
        var safe = TerminalText.escapeLine(text);
        return colours && !colour.isEmpty() ? colour + safe + RESET : safe;
    }

    private static void addCounters(Stock stock, List<Branch> branches) {
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
