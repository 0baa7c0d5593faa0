package dev.berth.drivers.chardev;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.sysfs.StandardAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;

/// Groups device files into published devices by rules.
final class PublishedChardevs {

    private PublishedChardevs() {}

    /// The published devices, sorted by name; a file belongs to the first rule that matches.
    static List<PublishedChardev> of(List<CharacterDevice> files, List<ChardevRule> rules) {
        var groups = new LinkedHashMap<String, List<CharacterDevice>>();
        var ruleOf = new LinkedHashMap<String, ChardevRule>();
        for (var file : files) {
            for (var rule : rules) {
                var match = rule.path().matcher(file.path());
                if (match.matches()) {
                    var key = key(rule, match, file);
                    groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(file);
                    ruleOf.putIfAbsent(key, rule);
                    break;
                }
            }
        }
        var published = new TreeMap<String, PublishedChardev>();
        groups.forEach((key, members) -> {
            var rule = Optional.ofNullable(ruleOf.get(key)).orElseThrow();
            var name = name(rule, members.getFirst());
            published.putIfAbsent(name, new PublishedChardev(name, rule, members));
        });
        return List.copyOf(published.values());
    }

    private static String key(ChardevRule rule, Matcher match, CharacterDevice file) {
        var hardware = rule.together() ? file.hardware() : Optional.<String>empty();
        return rule.kind() + " " + hardware.orElseGet(() -> part(match));
    }

    private static String part(Matcher match) {
        return match.groupCount() > 0 ? Optional.ofNullable(match.group(1)).orElse("") : "";
    }

    private static String name(ChardevRule rule, CharacterDevice first) {
        var match = rule.path().matcher(first.path());
        var part = match.matches() ? part(match) : "";
        return DerivedNames.label(part.isEmpty() ? rule.kind() : rule.kind() + "-" + part);
    }

    /// @param standard standard attributes of PCI functions
    static Device device(PublishedChardev chardev, StandardAttributes standard) {
        var first = chardev.first();
        var attributes = new TreeMap<String, AttributeValue>();
        attributes.put("kind", new StringValue(chardev.rule().kind()));
        attributes.put("path", new StringValue("/dev/" + first.path()));
        attributes.put("major", new IntValue(first.major()));
        attributes.put("minor", new IntValue(first.minor()));
        first.pciFunction().ifPresent(address -> attributes.putAll(standard.of(address)));
        var device = Device.named(chardev.name()).withAttributes(attributes);
        return switch (chardev.rule().sharing()) {
            case ChardevSharing.Exclusive _ -> device;
            case ChardevSharing.Unlimited _ -> device.withMultipleAllocations();
            case ChardevSharing.Slots(var count) ->
                    device.withMultipleAllocations().withCapacity(Map.of("slots", slots(count)));
        };
    }

    private static DeviceCapacity slots(long count) {
        var one = Quantity.of(1);
        var policy =
                new CapacityRequestPolicy.ValidRange(
                        Optional.of(one), one, Optional.empty(), Optional.of(one));
        return new DeviceCapacity(Quantity.of(count), Optional.of(policy));
    }
}
