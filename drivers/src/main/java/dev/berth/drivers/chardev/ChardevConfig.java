package dev.berth.drivers.chardev;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Configuration of the character device driver.
///
/// @param rules rules; the first that matches a file applies
public record ChardevConfig(List<ChardevRule> rules) {

    private static final long MAX_SLOTS = 1_000_000;

    /// Built-in rules for common device files.
    static final List<ChardevRule> BUILT_IN =
            List.of(
                    ChardevRule.of("kvm", "kvm", new ChardevSharing.Unlimited()),
                    ChardevRule.of("tun", "net/tun", new ChardevSharing.Unlimited()),
                    ChardevRule.of("fuse", "fuse", new ChardevSharing.Unlimited()),
                    ChardevRule.of("hwrng", "hwrng", new ChardevSharing.Unlimited())
                            .withPermissions("r"),
                    ChardevRule.of(
                                    "dri",
                                    "dri/(card[0-9]+|renderD[0-9]+)",
                                    new ChardevSharing.Exclusive())
                            .withTogether(),
                    ChardevRule.of(
                            "snd",
                            "snd/[a-zA-Z]+C([0-9]+)(?:D[0-9]+[cp]?)?",
                            new ChardevSharing.Exclusive()),
                    ChardevRule.of("video", "video([0-9]+)", new ChardevSharing.Exclusive())
                            .withTogether());

    public static final ChardevConfig DEFAULTS = new ChardevConfig(BUILT_IN);

    public ChardevConfig {
        rules = List.copyOf(rules);
    }

    public static Parameters<ChardevConfig> parameters() {
        return Parameters.plain(ChardevConfig::read, DEFAULTS);
    }

    private static ChardevConfig read(ParameterFields fields) {
        var rules = new ArrayList<ChardevRule>();
        fields.objects("rules", ChardevConfig::rule).forEach(one -> one.ifPresent(rules::add));
        if (fields.flag("builtIn").orElse(true)) {
            rules.addAll(BUILT_IN);
        }
        return new ChardevConfig(rules);
    }

    private static Optional<ChardevRule> rule(ParameterFields fields) {
        var kind = fields.text("kind").orElse("");
        if (kind.isEmpty() || !DerivedNames.label(kind).equals(kind)) {
            fields.refuse("kind", "\"%s\" is not a name of a-z, 0-9 and -".formatted(kind));
        }
        var permissions = fields.text("permissions").orElse("rw");
        if (!permissions.matches("r?w?m?") || permissions.isEmpty()) {
            fields.refuse("permissions", "\"%s\" is not of r, w, m".formatted(permissions));
        }
        var together = fields.flag("together").orElse(false);
        var sharing = sharing(fields);
        return path(fields)
                .map(path -> new ChardevRule(kind, path, together, permissions, sharing));
    }

    private static Optional<Pattern> path(ParameterFields fields) {
        var text = fields.text("path").orElse("");
        if (text.isEmpty() || text.startsWith("/")) {
            fields.refuse(
                    "path",
                    "\"%s\" is not a regular expression for files below /dev".formatted(text));
            return Optional.empty();
        }
        try {
            return Optional.of(Pattern.compile(text));
        } catch (PatternSyntaxException e) {
            fields.refuse(
                    "path",
                    "\"%s\" is not a regular expression: %s".formatted(text, e.getDescription()));
            return Optional.empty();
        }
    }

    private static ChardevSharing sharing(ParameterFields fields) {
        var slots = fields.number("slots", 1, MAX_SLOTS);
        var shared = fields.flag("shared").orElse(false);
        if (slots.isPresent()) {
            return new ChardevSharing.Slots(slots.getAsLong());
        }
        return shared ? new ChardevSharing.Unlimited() : new ChardevSharing.Exclusive();
    }
}
