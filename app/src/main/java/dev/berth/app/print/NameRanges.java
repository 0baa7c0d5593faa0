package dev.berth.app.print;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Short form of many names: `h100x8-0`, `h100x8-1` and `h100x8-2` become `h100x8-[0-2]`. Names are
/// joined when they differ only in their last number.
public final class NameRanges {

    private static final Pattern LAST_NUMBER = Pattern.compile("(.*?)([0-9]{1,9})([^0-9]*)");

    /// Names that differ only in a number.
    private record Family(String prefix, String suffix, int digits) {}

    private NameRanges() {}

    /// The names, joined by commas, in the order of their first members.
    public static String of(Collection<String> names) {
        return String.join(", ", list(names));
    }

    /// The names, as few as possible.
    public static List<String> list(Collection<String> names) {
        var families = new LinkedHashMap<Object, List<String>>();
        for (var name : names) {
            var match = LAST_NUMBER.matcher(name);
            families.computeIfAbsent(match.matches() ? family(match) : name, _ -> new ArrayList<>())
                    .add(name);
        }
        var all = new ArrayList<String>();
        families.forEach((family, members) -> {
            if (family instanceof Family one && members.size() > 1) {
                all.add(joined(one, members));
            } else {
                all.addAll(members);
            }
        });
        return all;
    }

    /// Numbers with leading zeros form families of their own, so that each name can be recovered.
    private static Family family(Matcher match) {
        var number = match.group(2);
        var isPadded = number.length() > 1 && number.startsWith("0");
        return new Family(match.group(1), match.group(3), isPadded ? number.length() : 0);
    }

    private static String joined(Family family, List<String> members) {
        var numbers = new TreeMap<Long, String>();
        for (var name : members) {
            var number =
                    name.substring(family.prefix.length(), name.length() - family.suffix.length());
            numbers.put(Long.valueOf(number), number);
        }
        var ranges = new ArrayList<String>();
        var first = "";
        var last = "";
        var next = -1L;
        for (var entry : numbers.entrySet()) {
            if (entry.getKey() != next) {
                addRange(ranges, first, last);
                first = entry.getValue();
            }
            last = entry.getValue();
            next = entry.getKey() + 1;
        }
        addRange(ranges, first, last);
        return family.prefix + "[" + String.join(",", ranges) + "]" + family.suffix;
    }

    private static void addRange(List<String> ranges, String first, String last) {
        if (!first.isEmpty()) {
            ranges.add(first.equals(last) ? first : first + "-" + last);
        }
    }
}
