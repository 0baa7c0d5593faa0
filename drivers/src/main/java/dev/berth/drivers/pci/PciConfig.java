package dev.berth.drivers.pci;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;
import java.util.Optional;

/// What the administrator says about PCI functions.
///
/// @param rules of which the first that fits a function counts
public record PciConfig(List<PciRule> rules) {

    /// What nobody misses when it is given away: what was set aside for VFIO, virtual functions
    /// that no driver has taken, GPUs without a screen, and accelerators.
    static final List<PciRule> USUAL_RULES =
            List.of(
                    rule(Optional.empty(), Optional.of(PciFunction.VFIO), PciFunctionMode.VFIO),
                    new PciRule(
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(""),
                            Optional.of(true),
                            PciFunctionMode.VFIO),
                    rule(Optional.of("0302"), Optional.empty(), PciFunctionMode.NODES),
                    rule(Optional.of("12"), Optional.empty(), PciFunctionMode.NODES));

    public static final PciConfig USUAL = new PciConfig(USUAL_RULES);

    public PciConfig {
        rules = List.copyOf(rules);
    }

    private static PciRule rule(
            Optional<String> classCode, Optional<String> driver, PciFunctionMode use) {
        return new PciRule(
                Optional.empty(), Optional.empty(), classCode, driver, Optional.empty(), use);
    }

    public static Parameters<PciConfig> parameters() {
        return Parameters.plain(
                fields -> {
                    var rules = fields.objects("rules", PciConfig::rule);
                    return rules.isEmpty() ? USUAL : new PciConfig(rules);
                },
                USUAL);
    }

    private static PciRule rule(ParameterFields fields) {
        var rule =
                new PciRule(
                        hex(fields, "vendor", "[0-9a-f]{4}"),
                        hex(fields, "device", "[0-9a-f]{4}"),
                        hex(fields, "class", "([0-9a-f]{2}){1,3}"),
                        fields.text("driver"),
                        fields.flag("virtual"),
                        fields.oneOf("use", List.of(PciFunctionMode.values()))
                                .orElse(PciFunctionMode.VFIO));
        if (rule.vendor().isEmpty() && rule.classCode().isEmpty() && rule.driver().isEmpty()) {
            fields.refuse(
                    "say a vendor, a class or a driver; a rule for all would take the machine");
        }
        return rule;
    }

    private static Optional<String> hex(ParameterFields fields, String name, String form) {
        var text = fields.text(name).map(one -> one.startsWith("0x") ? one.substring(2) : one);
        if (text.isPresent() && !text.get().matches(form)) {
            fields.refuse(
                    name,
                    "\"%s\" is not a number in small hexadecimal digits".formatted(text.get()));
        }
        return text;
    }
}
