package dev.berth.core.admission.field;

import dev.berth.core.text.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Formats of names, labels and other identifiers. Each check returns the error messages of
/// Kubernetes; an empty list means valid.
public final class NameFormats {

    public static final int LABEL_MAX = 63;
    public static final int SUBDOMAIN_MAX = 253;

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String ANY_CASE_LABEL = "[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?";
    private static final String QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
    private static final String REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";

    private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);
    private static final Pattern ANY_CASE_SUBDOMAIN_PATTERN =
            Pattern.compile(ANY_CASE_LABEL + "(\\." + ANY_CASE_LABEL + ")*");
    private static final Pattern QUALIFIED_PATTERN = Pattern.compile(QUALIFIED);
    private static final Pattern LABEL_VALUE_PATTERN = Pattern.compile("(" + QUALIFIED + ")?");
    private static final Pattern IDENTIFIER_PATTERN = Pattern.compile(IDENTIFIER);
    private static final Pattern REASON_PATTERN = Pattern.compile(REASON);
    private static final Pattern UUID_PATTERN =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private static final String QUALIFIED_MESSAGE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with "
                    + "an alphanumeric character";
    private static final String NOT_EMPTY = "must be non-empty";
    private static final String QUOTA_PREFIX = "requests.";
    private static final String NATIVE_DOMAIN = "kubernetes.io/";

    private NameFormats() {}

    /// DNS label: `gpu-0`.
    public static List<String> label(String value) {
        return limitedTo(
                LABEL_MAX,
                value,
                LABEL_PATTERN,
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or "
                        + "'-', and must start and end with an alphanumeric character",
                LABEL,
                "my-name",
                "123-abc");
    }

    /// DNS subdomain: `gpu.example.com`.
    public static List<String> subdomain(String value) {
        return limitedTo(
                SUBDOMAIN_MAX,
                value,
                SUBDOMAIN_PATTERN,
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
                        + "characters, '-' or '.', and must start and end with an alphanumeric "
                        + "character",
                SUBDOMAIN,
                "example.com");
    }

    /// DNS subdomain, case-insensitive.
    public static List<String> subdomainOfAnyCase(String value) {
        return limitedTo(
                SUBDOMAIN_MAX,
                value,
                ANY_CASE_SUBDOMAIN_PATTERN,
                "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and "
                        + "must start and end with an alphanumeric character",
                SUBDOMAIN,
                "Example.com");
    }

    /// Key of a label, annotation, taint or condition: `name` or `example.com/name`.
    public static List<String> labelKey(String value) {
        if (isPlainKey(value)) {
            return List.of();
        }
        var messages = new ArrayList<String>();
        var parts = value.split("/", -1);
        if (parts.length > 2) {
            return List.of(
                    "a qualified name "
                            + regexMessage(
                                    QUALIFIED_MESSAGE, QUALIFIED, "MyName", "my.name", "123-abc")
                            + " with an optional DNS subdomain prefix and '/' (e.g. "
                            + "'example.com/MyName')");
        }
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                messages.add("prefix part " + NOT_EMPTY);
            } else {
                subdomain(parts[0]).forEach(message -> messages.add("prefix part " + message));
            }
        }
        var name = parts[parts.length - 1];
        if (name.isEmpty()) {
            messages.add("name part " + NOT_EMPTY);
        } else if (GoText.bytes(name) > LABEL_MAX) {
            messages.add("name part " + lengthMessage(LABEL_MAX));
        }
        if (!QUALIFIED_PATTERN.matcher(name).matches()) {
            messages.add(
                    "name part "
                            + regexMessage(
                                    QUALIFIED_MESSAGE, QUALIFIED, "MyName", "my.name", "123-abc"));
        }
        return messages;
    }

    /// Fast path: true only for keys that are valid, which is nearly all.
    private static boolean isPlainKey(String value) {
        var slash = value.indexOf('/');
        return slash <= SUBDOMAIN_MAX
                && value.length() - slash - 1 <= LABEL_MAX
                && (slash < 0 || isPlain(value, slash, true))
                && isQualified(value, slash + 1);
    }

    /// Whether the rest of a text consists of letters and digits, with `-`, `_` or `.` between
    /// them.
    private static boolean isQualified(String value, int from) {
        for (var i = from; i < value.length(); i++) {
            var c = value.charAt(i);
            var inside = i > from && i < value.length() - 1;
            if (!isLetterOrDigit(c) && !(inside && (c == '-' || c == '_' || c == '.'))) {
                return false;
            }
        }
        return from < value.length();
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /// Key of an annotation: a label key, case-insensitive.
    public static List<String> annotationKey(String value) {
        return labelKey(value.toLowerCase(Locale.ROOT));
    }

    public static List<String> labelValue(String value) {
        return limitedTo(
                LABEL_MAX,
                value,
                LABEL_VALUE_PATTERN,
                "a valid label must be an empty string or consist of alphanumeric characters, '-', "
                        + "'_' or '.', and must start and end with an alphanumeric character",
                "(" + QUALIFIED + ")?",
                "MyValue",
                "my_value",
                "12345");
    }

    /// C identifier, without a maximum length.
    public static List<String> identifier(String value) {
        return IDENTIFIER_PATTERN.matcher(value).matches()
                ? List.of()
                : List.of(
                        regexMessage(
                                "a valid C identifier must start with alphabetic character or '_', "
                                        + "followed by a string of alphanumeric characters or '_'",
                                IDENTIFIER,
                                "my_name",
                                "MY_NAME",
                                "MyName"));
    }

    public static List<String> conditionReason(String value) {
        return REASON_PATTERN.matcher(value).matches()
                ? List.of()
                : List.of(
                        regexMessage(
                                "a condition reason must start with alphabetic character, "
                                        + "optionally followed by a string of alphanumeric "
                                        + "characters or '_,:', and must end with an alphanumeric "
                                        + "character or '_'",
                                REASON,
                                "my_name",
                                "MY_NAME",
                                "MyName",
                                "ReasonA,ReasonB",
                                "ReasonA:ReasonB"));
    }

    public static boolean isCanonicalUuid(String value) {
        return UUID_PATTERN.matcher(value).matches();
    }

    /// Name of an extended resource: in a domain outside kubernetes.io, and still valid with the
    /// prefix that quota adds.
    public static List<String> extendedResourceName(String value) {
        var messages = new ArrayList<String>();
        if (!value.contains("/")) {
            messages.add("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
        } else if (value.contains(NATIVE_DOMAIN)) {
            messages.add("must not have \"" + NATIVE_DOMAIN + "\" domain");
        }
        if (value.startsWith(QUOTA_PREFIX)) {
            messages.add("must not have \"" + QUOTA_PREFIX + "\" prefix");
        }
        messages.addAll(labelKey(QUOTA_PREFIX + value));
        return messages;
    }

    private static List<String> limitedTo(
            int limit, String value, Pattern pattern, String message, String regex, String... ex) {
        if (value.length() <= limit && isPlain(value, value.length(), limit > LABEL_MAX)) {
            return List.of();
        }
        var messages = new ArrayList<String>();
        if (GoText.bytes(value) > limit) {
            messages.add(lengthMessage(limit));
        }
        if (!pattern.matcher(value).matches()) {
            messages.add(regexMessage(message, regex, ex));
        }
        return messages;
    }

    /// Fast path: true for lower-case DNS labels, joined by dots where the format allows a
    /// subdomain, within the maximum length. This covers nearly all names.
    private static boolean isPlain(String value, int end, boolean dotted) {
        var before = '.';
        for (var i = 0; i < end; i++) {
            var c = value.charAt(i);
            if (c == '-' || c == '.') {
                if (before == '.' || (c == '.' && (before == '-' || !dotted))) {
                    return false;
                }
            } else if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) {
                return false;
            }
            before = c;
        }
        return before != '.' && before != '-';
    }

    private static String lengthMessage(int limit) {
        return "must be no more than " + limit + " bytes";
    }

    private static String regexMessage(String message, String regex, String... examples) {
        var text = new StringBuilder(message).append(" (e.g. ");
        for (var i = 0; i < examples.length; i++) {
            text.append(i == 0 ? "'" : " or '").append(examples[i]).append("', ");
        }
        return text.append("regex used for validation is '").append(regex).append("')").toString();
    }
}
