package dev.berth.drivers.chardev;

import dev.berth.drivers.machine.Names;
import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// What the administrator says about character devices.
///
/// @param rules of which the first that fits a file counts
public record ChardevConfig(List<Rule> rules) {

    private static final long MAX_SLOTS = 1_000_000;

    /// What ordinary machines have, and how it can be shared.
    static final List<Rule> BUILT_IN =
            List.of(
                    Rule.of("kvm", "kvm", new Sharing.Unlimited()),
                    Rule.of("tun", "net/tun", new Sharing.Unlimited()),
                    Rule.of("fuse", "fuse", new Sharing.Unlimited()),
                    Rule.of("hwrng", "hwrng", new Sharing.Unlimited()).withPermissions("r"),
                    Rule.of("dri", "dri/(card[0-9]+|renderD[0-9]+)", new Sharing.Exclusive())
                            .withTogether(),
                    Rule.of(
                            "snd",
                            "snd/[a-zA-Z]+C([0-9]+)(?:D[0-9]+[cp]?)?",
                            new Sharing.Exclusive()),
                    Rule.of("video", "video([0-9]+)", new Sharing.Exclusive()).withTogether());

    public static final ChardevConfig USUAL = new ChardevConfig(BUILT_IN);

    public ChardevConfig {
        rules = List.copyOf(rules);
    }

    public static Parameters<ChardevConfig> parameters() {
        return Parameters.plain(ChardevConfig::read, USUAL);
    }

    private static ChardevConfig read(ParameterFields fields) {
        var rules = new ArrayList<Rule>();
        fields.objects("rules", ChardevConfig::rule).forEach(one -> one.ifPresent(rules::add));
        if (fields.flag("builtIn").orElse(true)) {
            rules.addAll(BUILT_IN);
        }
        return new ChardevConfig(rules);
    }

    private static Optional<Rule> rule(ParameterFields fields) {
        var kind = fields.text("kind").orElse("");
        if (kind.isEmpty() || !Names.label(kind).equals(kind)) {
            fields.refuse("kind", "\"%s\" is not a name of a-z, 0-9 and -".formatted(kind));
        }
        var permissions = fields.text("permissions").orElse("rw");
        if (!permissions.matches("r?w?m?") || permissions.isEmpty()) {
            fields.refuse("permissions", "\"%s\" is not of r, w, m".formatted(permissions));
        }
        var together = fields.flag("together").orElse(false);
        var sharing = sharing(fields);
        return path(fields).map(path -> new Rule(kind, path, together, permissions, sharing));
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

    private static Sharing sharing(ParameterFields fields) {
        var slots = fields.number("slots", 1, MAX_SLOTS);
        var shared = fields.flag("shared").orElse(false);
        if (slots.isPresent()) {
            return new Sharing.Slots(slots.getAsLong());
        }
        return shared ? new Sharing.Unlimited() : new Sharing.Exclusive();
    }
}
