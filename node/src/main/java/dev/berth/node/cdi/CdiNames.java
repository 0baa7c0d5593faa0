package dev.berth.node.cdi;

import java.util.Optional;

/// Validates names of vendors, classes and devices.
final class CdiNames {

    private CdiNames() {}

    static Optional<String> vendorProblem(String vendor) {
        return qualifierProblem("vendor", vendor);
    }

    static Optional<String> classProblem(String className) {
        return qualifierProblem("class", className);
    }

    /// True for names on which the reference library, and with it containerd, crashes: it indexes
    /// the characters between the first and the last.
    static boolean crashesRuntimes(String vendorOrClass) {
        return vendorOrClass.length() == 1 && isLetter(vendorOrClass.charAt(0));
    }

    private static Optional<String> qualifierProblem(String what, String name) {
        if (name.isEmpty()) {
            return Optional.of("the " + what + " is empty");
        }
        if (!isLetter(name.charAt(0))) {
            return Optional.of("%s \"%s\" must begin with a letter".formatted(what, name));
        }
        if (name.length() < 2) {
            return Optional.of("%s \"%s\" must have at least two characters".formatted(what, name));
        }
        return innerProblem(what, name, "_-.");
    }

    static Optional<String> deviceProblem(String name) {
        if (name.isEmpty()) {
            return Optional.of("the device has no name");
        }
        if (!isLetterOrDigit(name.charAt(0))) {
            return Optional.of("device \"%s\" must begin with a letter or digit".formatted(name));
        }
        return innerProblem("device", name, "_-.:");
    }

    private static Optional<String> innerProblem(String what, String name, String extra) {
        for (var i = 1; i < name.length() - 1; i++) {
            var c = name.charAt(i);
            if (!isLetterOrDigit(c) && extra.indexOf(c) < 0) {
                return Optional.of("%s \"%s\" must not contain '%c'".formatted(what, name, c));
            }
        }
        return isLetterOrDigit(name.charAt(name.length() - 1))
                ? Optional.empty()
                : Optional.of("%s \"%s\" must end with a letter or digit".formatted(what, name));
    }

    static boolean isLetter(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    private static boolean isLetterOrDigit(char c) {
        return isLetter(c) || (c >= '0' && c <= '9');
    }
}
