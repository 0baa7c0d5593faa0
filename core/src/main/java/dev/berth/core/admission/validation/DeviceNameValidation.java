package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.quantity.Semver;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Validates names of the resource API: drivers, pools, attributes, share ids.
final class DeviceNameValidation {

    static final int DRIVER_MAX = 63;
    static final int IDENTIFIER_MAX = 32;
    static final int ATTRIBUTE_VALUE_MAX = 64;
    private static final Set<String> NODE_ALLOCATABLE = Set.of("cpu", "memory");
    private static final String HUGE_PAGES = "hugepages-";

    private DeviceNameValidation() {}

    /// Validates a driver name: a DNS subdomain of at most 63 bytes, case-insensitive.
    static List<FieldError> driver(String value, FieldPath path) {
        if (value.isEmpty()) {
            return List.of(FieldError.required(path));
        }
        var problems = new ArrayList<FieldError>();
        if (GoText.bytes(value) > DRIVER_MAX) {
            problems.add(FieldError.tooLong(path, DRIVER_MAX));
        }
        for (var message : NameFormats.subdomain(value.toLowerCase(Locale.ROOT))) {
            problems.add(FieldError.invalid(path, value, message));
        }
        return problems;
    }

    /// Validates a pool name: DNS subdomains separated by slashes, at most 253 bytes.
    static List<FieldError> pool(String value, FieldPath path) {
        if (value.isEmpty()) {
            return List.of(FieldError.required(path));
        }
        var problems = new ArrayList<FieldError>();
        if (GoText.bytes(value) > NameFormats.SUBDOMAIN_MAX) {
            problems.add(FieldError.tooLong(path, NameFormats.SUBDOMAIN_MAX));
        }
        for (var part : value.split("/", -1)) {
            problems.addAll(subdomain(part, path));
        }
        return problems;
    }

    static List<FieldError> label(String value, FieldPath path) {
        return FieldError.invalid(path, value, NameFormats.label(value));
    }

    static List<FieldError> subdomain(String value, FieldPath path) {
        return FieldError.invalid(path, value, NameFormats.subdomain(value));
    }

    static List<FieldError> labelKey(String value, FieldPath path) {
        return FieldError.invalid(path, value, NameFormats.labelKey(value));
    }

    static List<FieldError> labelValue(String value, FieldPath path) {
        return FieldError.invalid(path, value, NameFormats.labelValue(value));
    }

    static List<FieldError> deviceClass(String value, FieldPath path) {
        return value.isEmpty() ? List.of(FieldError.required(path)) : subdomain(value, path);
    }

    /// Validates an attribute name: `id` or `domain/id`. Names with more than one slash are not
    /// checked, as in Kubernetes 1.37.
    static List<FieldError> qualified(String value, FieldPath path) {
        var parts = value.split("/", -1);
        if (parts.length == 1) {
            return identifier(value, path);
        }
        var problems = new ArrayList<FieldError>();
        if (parts.length == 2) {
            problems.addAll(
                    parts[0].isEmpty()
                            ? List.of(FieldError.invalid(path, "", "the domain must not be empty"))
                            : driver(parts[0], path));
            problems.addAll(
                    parts[1].isEmpty()
                            ? List.of(FieldError.invalid(path, "", "the name must not be empty"))
                            : identifier(parts[1], path));
        }
        return problems;
    }

    /// Validates an attribute name with a domain.
    static List<FieldError> fullyQualified(String value, FieldPath path) {
        var problems = new ArrayList<>(qualified(value, path));
        if (!value.contains("/")) {
            problems.add(
                    FieldError.invalid(
                            path,
                            value,
                            "a fully qualified name must be a domain and a name separated by a "
                                    + "slash"));
        }
        return problems;
    }

    private static List<FieldError> identifier(String value, FieldPath path) {
        var problems = new ArrayList<FieldError>();
        if (GoText.bytes(value) > IDENTIFIER_MAX) {
            problems.add(FieldError.tooLong(path, IDENTIFIER_MAX));
        }
        problems.addAll(FieldError.invalid(path, value, NameFormats.identifier(value)));
        return problems;
    }

    static List<FieldError> version(String value, FieldPath path) {
        var problems = new ArrayList<FieldError>();
        if (!Semver.isWellFormed(value)) {
            problems.add(
                    FieldError.invalid(
                            path, value, "must be a string compatible with semver.org spec 2.0.0"));
        }
        problems.addAll(attributeText(value, path));
        return problems;
    }

    static List<FieldError> attributeText(String value, FieldPath path) {
        return GoText.bytes(value) > ATTRIBUTE_VALUE_MAX
                ? List.of(FieldError.tooLong(path, ATTRIBUTE_VALUE_MAX))
                : List.of();
    }

    static List<FieldError> shareId(String value, FieldPath path) {
        if (NameFormats.isCanonicalUuid(value)) {
            return List.of();
        }
        var detail =
                isUuidInSomeForm(value)
                        ? "uid must be in RFC 4122 normalized form, "
                                + "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase "
                                + "hexadecimal characters"
                        : "error validating uid: " + uuidFault(value);
        return List.of(FieldError.invalid(path, value, detail));
    }

    private static boolean isUuidInSomeForm(String value) {
        var text = value.toLowerCase(Locale.ROOT);
        if (text.startsWith("urn:uuid:")) {
            text = text.substring("urn:uuid:".length());
        } else if (text.startsWith("{") && text.endsWith("}") && text.length() > 2) {
            text = text.substring(1, text.length() - 1);
        }
        return NameFormats.isCanonicalUuid(text) || text.matches("[0-9a-f]{32}");
    }

    private static String uuidFault(String value) {
        var length = GoText.bytes(value);
        return switch (length) {
            case 32, 36, 38, 45 -> "invalid UUID format";
            default -> "invalid UUID length: " + length;
        };
    }

    /// Whether a resource is node-allocatable: cpu, memory, huge pages.
    static boolean isNodeAllocatable(String resource) {
        return NODE_ALLOCATABLE.contains(resource) || resource.startsWith(HUGE_PAGES);
    }
}
