package dev.berth.drivers.pci;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;
import java.util.Optional;

/// Configuration of the PCI driver.
///
/// @param rules rules; the first that matches a function applies
public record PciConfig(List<PciRule> rules) {

    /// Default rules, for functions that the machine itself does not use: functions bound to
    /// vfio-pci, virtual functions without a driver, 3D controllers (GPUs without display), and
    /// accelerators.
    static final List<PciRule> DEFAULT_RULES =
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

    public static final PciConfig DEFAULTS = new PciConfig(DEFAULT_RULES);

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
                    return rules.isEmpty() ? DEFAULTS : new PciConfig(rules);
                },
                DEFAULTS);
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
                    "a rule requires vendor, class or driver; it must not match all functions");
        }
        return rule;
    }

    private static Optional<String> hex(ParameterFields fields, String name, String form) {
        var text = fields.text(name).map(one -> one.startsWith("0x") ? one.substring(2) : one);
        if (text.isPresent() && !text.get().matches(form)) {
            fields.refuse(
                    name, "\"%s\" is not a lower-case hexadecimal number".formatted(text.get()));
        }
        return text;
    }
}
