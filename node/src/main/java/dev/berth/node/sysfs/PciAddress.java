package dev.berth.node.sysfs;

import java.util.Optional;
import java.util.regex.Pattern;

/// Address of a PCI function: `0000:3b:00.0`, in lower case.
public record PciAddress(String text) implements Comparable<PciAddress> {

    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]");

    public PciAddress {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" is not a PCI address like 0000:3b:00.0".formatted(text));
        }
    }

    public static Optional<PciAddress> tryParse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new PciAddress(text)) : Optional.empty();
    }

    @Override
    public int compareTo(PciAddress other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
