package dev.berth.app.utilisation;

import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextWrap;
import dev.berth.core.utilisation.ClassUtilisation;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.Fit;
import dev.berth.core.utilisation.FitSize;
import dev.berth.core.utilisation.Utilisation;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Writes utilisation as text.
public final class UtilisationText {

    private static final String INDENT = "  ";
    private static final int LABEL_WIDTH = 16;

    private UtilisationText() {}

    /// All classes with devices, one paragraph each, within a width.
    public static String summary(ClusterUtilisation utilisation, int width) {
        var text = new StringBuilder();
        for (var one : utilisation.classes().values()) {
            if (one.total().devices() > 0) {
                text.append(text.isEmpty() ? "" : "\n");
                TextWrap.lines(TerminalText.escapeLine(headline(one)), width, INDENT)
                        .forEach(line -> text.append(line).append('\n'));
                addFits(text, one, width);
                addLabelled(text, "namespaces", namespaces(one), width);
            }
        }
        return text.isEmpty() ? "No device matches a device class.\n" : text.toString();
    }

    /// `gpu.example.com: 5.7 of 8 devices in use (71%), 2 free`.
    private static String headline(ClassUtilisation one) {
        var parts = new ArrayList<String>();
        parts.add(
                "%s: %s of %s in use (%d%%)"
                        .formatted(
                                one.deviceClass(),
                                amount(one.total().inUse()),
                                TextWrap.count(one.total().devices(), "device"),
                                one.total().percent()));
        parts.add(one.free() + " free");
        if (one.partlyUsed() > 0) {
            parts.add(one.partlyUsed() + " partly used");
        }
        if (one.unavailable() > 0) {
            parts.add(one.unavailable() + " unavailable");
        }
        if (one.adminAccess() > 0) {
            parts.add(one.adminAccess() + " with admin access");
        }
        return String.join(", ", parts);
    }

    private static void addFits(StringBuilder text, ClassUtilisation one, int width) {
        var onNode = new ArrayList<Fit>();
        var onNumaNode = new ArrayList<Fit>();
        for (var fit : one.fits()) {
            switch (fit.size()) {
                case FitSize.OnOneNode _, FitSize.Partition _ -> onNode.add(fit);
                case FitSize.OnOneNumaNode _ -> onNumaNode.add(fit);
                case FitSize.Requested _ -> {}
            }
        }
        addLabelled(text, "fits now", counts(onNode, false), width);
        addLabelled(text, "if together", counts(onNode, true), width);
        addLabelled(text, "on one NUMA node", counts(onNumaNode, false), width);
        for (var fit : one.fits()) {
            if (fit.size() instanceof FitSize.Requested(_, var demand)) {
                addLabelled(
                        text,
                        "pending requests",
                        "%s of %s".formatted(number(fit.now()), request(demand)),
                        width);
            }
        }
    }

    private static String request(DeviceDemand demand) {
        var count = demand.count() instanceof AllocationCount.ExactCount(var number) ? number : 1;
        var selectors =
                demand.selectors().stream()
                        .map(one -> one instanceof DeviceSelector.Cel(var text) ? text : "")
                        .collect(Collectors.joining(" && "));
        return TextWrap.count(count, "device") + (selectors.isEmpty() ? "" : " with " + selectors);
    }

    /// `1×8 2×4 8×1`: size and number.
    public static String counts(List<Fit> fits, boolean isTogether) {
        return fits.stream()
                .map(fit ->
                        shortLabel(fit.size())
                                + "×"
                                + number(isTogether ? fit.together() : fit.now())
                                + (fit.isExact() || isTogether ? "" : "+"))
                .collect(Collectors.joining(" "));
    }

    /// `1×8→2 8×1→0`: size, number before and number after.
    public static String changes(List<Fit> before, List<Fit> after) {
        return after.stream()
                .filter(fit -> !(fit.size() instanceof FitSize.OnOneNumaNode))
                .filter(fit -> !(fit.size() instanceof FitSize.Requested))
                .map(fit -> {
                    var old =
                            before.stream()
                                    .filter(one -> one.size().equals(fit.size()))
                                    .mapToLong(Fit::now)
                                    .findFirst()
                                    .orElse(0);
                    return shortLabel(fit.size())
                            + "×"
                            + (old == fit.now() ? "" : number(old) + "→")
                            + number(fit.now());
                })
                .collect(Collectors.joining(" "));
    }

    private static String shortLabel(FitSize size) {
        return switch (size) {
            case FitSize.OnOneNode(var count) -> Integer.toString(count);
            case FitSize.OnOneNumaNode(var count) -> Integer.toString(count);
            case FitSize.Partition(var profile) -> profile;
            case FitSize.Requested requested -> requested.label();
        };
    }

    private static String number(long count) {
        return count == Fit.UNLIMITED ? "unlimited" : Long.toString(count);
    }

    private static String namespaces(ClassUtilisation one) {
        return one.namespaces().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .map(entry -> entry.getKey() + " " + amount(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static void addLabelled(StringBuilder text, String label, String value, int width) {
        if (value.isEmpty()) {
            return;
        }
        var head = INDENT + label + " ".repeat(Math.max(0, LABEL_WIDTH - label.length())) + INDENT;
        var lines = TextWrap.lines(TerminalText.escapeLine(value), width - head.length());
        for (var i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? head : " ".repeat(head.length()))
                    .append(lines.get(i))
                    .append('\n');
        }
    }

    /// A number of devices with at most one decimal: `40`, `5.7`.
    public static String amount(double devices) {
        var tenths = Math.round(devices * 10);
        return tenths % 10 == 0
                ? Long.toString(tenths / 10)
                : "%d.%d".formatted(tenths / 10, tenths % 10);
    }

    /// `5.7 (71%)`, or `-` without devices.
    public static String used(Utilisation use) {
        return use.devices() == 0 ? "-" : "%s (%d%%)".formatted(amount(use.inUse()), use.percent());
    }
}
