package dev.berth.core.admission;

import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.quantity.Semver;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The names that the device API has of its own: drivers, pools, attributes, shares.
final class Names {

    static final int DRIVER_MAX = 63;
    static final int IDENTIFIER_MAX = 32;
    static final int ATTRIBUTE_VALUE_MAX = 64;
    private static final Set<String> NODE_ALLOCATABLE = Set.of("cpu", "memory");
    private static final String HUGE_PAGES = "hugepages-";

    private Names() {}

    /// A driver's name: a DNS subdomain of at most 63 bytes, in letters of any case.
    static List<Problem> driver(String value, FieldPath path) {
        if (value.isEmpty()) {
            return List.of(Problem.required(path));
        }
        var problems = new ArrayList<Problem>();
        if (GoText.bytes(value) > DRIVER_MAX) {
            problems.add(Problem.tooLong(path, DRIVER_MAX));
        }
        for (var message : Formats.subdomain(value.toLowerCase(Locale.ROOT))) {
            problems.add(Problem.invalid(path, value, message));
        }
        return problems;
    }

    /// A pool's name: DNS subdomains with slashes between them, 253 bytes in all.
    static List<Problem> pool(String value, FieldPath path) {
        if (value.isEmpty()) {
            return List.of(Problem.required(path));
        }
        var problems = new ArrayList<Problem>();
        if (GoText.bytes(value) > Formats.SUBDOMAIN_MAX) {
            problems.add(Problem.tooLong(path, Formats.SUBDOMAIN_MAX));
        }
        for (var part : value.split("/", -1)) {
            problems.addAll(subdomain(part, path));
        }
        return problems;
    }

    static List<Problem> label(String value, FieldPath path) {
        return Problem.invalid(path, value, Formats.label(value));
    }

    static List<Problem> subdomain(String value, FieldPath path) {
        return Problem.invalid(path, value, Formats.subdomain(value));
    }

    static List<Problem> labelKey(String value, FieldPath path) {
        return Problem.invalid(path, value, Formats.labelKey(value));
    }

    static List<Problem> labelValue(String value, FieldPath path) {
        return Problem.invalid(path, value, Formats.labelValue(value));
    }

    static List<Problem> deviceClass(String value, FieldPath path) {
        return value.isEmpty() ? List.of(Problem.required(path)) : subdomain(value, path);
    }

    /// An attribute's name: `id` or `domain/id`. More slashes than one go unchecked, as in
    /// Kubernetes 1.37.
    static List<Problem> qualified(String value, FieldPath path) {
        var parts = value.split("/", -1);
        if (parts.length == 1) {
            return identifier(value, path);
        }
        var problems = new ArrayList<Problem>();
        if (parts.length == 2) {
            problems.addAll(
                    parts[0].isEmpty()
                            ? List.of(Problem.invalid(path, "", "the domain must not be empty"))
                            : driver(parts[0], path));
            problems.addAll(
                    parts[1].isEmpty()
                            ? List.of(Problem.invalid(path, "", "the name must not be empty"))
                            : identifier(parts[1], path));
        }
        return problems;
    }

    /// An attribute's name with its domain.
    static List<Problem> fullyQualified(String value, FieldPath path) {
        var problems = new ArrayList<>(qualified(value, path));
        if (!value.contains("/")) {
            problems.add(
                    Problem.invalid(
                            path,
                            value,
                            "a fully qualified name must be a domain and a name separated by a "
                                    + "slash"));
        }
        return problems;
    }

    private static List<Problem> identifier(String value, FieldPath path) {
        var problems = new ArrayList<Problem>();
        if (GoText.bytes(value) > IDENTIFIER_MAX) {
            problems.add(Problem.tooLong(path, IDENTIFIER_MAX));
        }
        problems.addAll(Problem.invalid(path, value, Formats.identifier(value)));
        return problems;
    }

    static List<Problem> version(String value, FieldPath path) {
        var problems = new ArrayList<Problem>();
        if (!Semver.isWellFormed(value)) {
            problems.add(
                    Problem.invalid(
                            path, value, "must be a string compatible with semver.org spec 2.0.0"));
        }
        problems.addAll(attributeText(value, path));
        return problems;
    }

    static List<Problem> attributeText(String value, FieldPath path) {
        return GoText.bytes(value) > ATTRIBUTE_VALUE_MAX
                ? List.of(Problem.tooLong(path, ATTRIBUTE_VALUE_MAX))
                : List.of();
    }

    static List<Problem> shareId(String value, FieldPath path) {
        if (Formats.isCanonicalUuid(value)) {
            return List.of();
        }
        var detail =
                isUuidInSomeForm(value)
                        ? "uid must be in RFC 4122 normalized form, "
                                + "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase "
                                + "hexadecimal characters"
                        : "error validating uid: " + uuidFault(value);
        return List.of(Problem.invalid(path, value, detail));
    }

    private static boolean isUuidInSomeForm(String value) {
        var text = value.toLowerCase(Locale.ROOT);
        if (text.startsWith("urn:uuid:")) {
            text = text.substring("urn:uuid:".length());
        } else if (text.startsWith("{") && text.endsWith("}") && text.length() > 2) {
            text = text.substring(1, text.length() - 1);
        }
        return Formats.isCanonicalUuid(text) || text.matches("[0-9a-f]{32}");
    }

    private static String uuidFault(String value) {
        var length = GoText.bytes(value);
        return switch (length) {
            case 32, 36, 38, 45 -> "invalid UUID format";
            default -> "invalid UUID length: " + length;
        };
    }

    /// True for the resources that a node hands out by itself: processors, memory, huge pages.
    static boolean isNodeAllocatable(String resource) {
        return NODE_ALLOCATABLE.contains(resource) || resource.startsWith(HUGE_PAGES);
    }
}
