package dev.berth.core.cel.library;

import dev.cel.common.types.CelType;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// A named string format of Kubernetes that strings can be validated against.
public enum NamedFormat implements KubernetesCelValue {
    DNS1123_LABEL("dns1123Label", 30),
    DNS1123_SUBDOMAIN("dns1123Subdomain", 60),
    DNS1035_LABEL("dns1035Label", 30),
    QUALIFIED_NAME("qualifiedName", 60),
    DNS1123_LABEL_PREFIX("dns1123LabelPrefix", 30),
    DNS1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix", 60),
    DNS1035_LABEL_PREFIX("dns1035LabelPrefix", 30),
    LABEL_VALUE("labelValue", 40),
    URI("uri", 1103),
    UUID("uuid", 70),
    BYTE("byte", 84),
    DATE("date", 71),
    DATETIME("datetime", 71);

    private static final Pattern UUID_FORM =
            Pattern.compile("(?i)[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}");
    private static final Pattern DATE_FORM = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern TIME_FORM =
            Pattern.compile(
                    "(\\d{2}):(\\d{2}):(\\d{2})(?:.\\d+)?(?:z|[+-]\\d{2}:\\d{2})", Pattern.DOTALL);

    private final String label;
    private final long regexSize;

    NamedFormat(String label, long regexSize) {
        this.label = label;
        this.regexSize = regexSize;
    }

    /// The name of the format in expressions.
    String label() {
        return label;
    }

    /// Length of a regular expression for the format, which determines the cost of validation.
    long regexSize() {
        return regexSize;
    }

    /// All errors of a string; empty if it has the format.
    List<String> problems(String text) {
        return switch (this) {
            case DNS1123_LABEL -> NameRules.dns1123Label(text);
            case DNS1123_SUBDOMAIN -> NameRules.dns1123Subdomain(text);
            case DNS1035_LABEL -> NameRules.dns1035Label(text);
            case QUALIFIED_NAME -> NameRules.qualifiedName(text);
            case DNS1123_LABEL_PREFIX -> NameRules.dns1123Label(NameRules.prefix(text));
            case DNS1123_SUBDOMAIN_PREFIX -> NameRules.dns1123Subdomain(NameRules.prefix(text));
            case DNS1035_LABEL_PREFIX -> NameRules.dns1035Label(NameRules.prefix(text));
            case LABEL_VALUE -> NameRules.labelValue(text);
            case URI -> UrlSyntax.request(text).map(List::of).orElse(List.of());
            case UUID -> unless(isUuid(text), "does not match the UUID format");
            case BYTE -> unless(isBase64(text), "invalid base64");
            case DATE -> unless(isDate(text), "invalid date");
            case DATETIME -> unless(isDateTime(text), "invalid datetime");
        };
    }

    private static List<String> unless(boolean valid, String problem) {
        return valid ? List.of() : List.of(problem);
    }

    private static boolean isUuid(String text) {
        return UUID_FORM.matcher(text).matches();
    }

    /// Base64: groups of four characters, of which the last may end with one or two `=`.
    private static boolean isBase64(String text) {
        var size = text.length();
        if (size == 0 || size % 4 != 0) {
            return false;
        }
        var end = text.endsWith("==") ? size - 2 : text.endsWith("=") ? size - 1 : size;
        return text.chars().limit(end).allMatch(NamedFormat::isBase64);
    }

    private static boolean isBase64(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '+'
                || c == '/';
    }

    private static boolean isDate(String text) {
        try {
            return DATE_FORM.matcher(text).matches() && LocalDate.parse(text).getYear() >= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        var parts = text.toLowerCase(Locale.ROOT).split("t", -1);
        if (parts.length < 2 || !isDate(parts[0])) {
            return false;
        }
        var time = TIME_FORM.matcher(parts[1]);
        return time.matches()
                && time.group(1).compareTo("23") <= 0
                && time.group(2).compareTo("59") <= 0
                && time.group(3).compareTo("59") <= 0;
    }

    @Override
    public CelType celType() {
        return CelTypes.NAMED_FORMAT;
    }
}
