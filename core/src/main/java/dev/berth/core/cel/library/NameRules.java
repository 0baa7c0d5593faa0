package dev.berth.core.cel.library;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Validation rules of Kubernetes names, with its error messages.
final class NameRules {

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String DNS1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String KEY_RULE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                    + " an alphanumeric character";

    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;

    private NameRules() {}

    static List<String> dns1123Label(String text) {
        var problems = tooLong(text, MAX_LABEL);
        if (!isLabel(text)) {
            problems.add(
                    isSubdomain(text)
                            ? "must not contain dots"
                            : mismatch(
                                    "a lowercase RFC 1123 label must consist of lower case"
                                            + " alphanumeric characters or '-', and must start and"
                                            + " end with an alphanumeric character",
                                    LABEL,
                                    "my-name",
                                    "123-abc"));
        }
        return problems;
    }

    static List<String> dns1123Subdomain(String text) {
        var problems = tooLong(text, MAX_SUBDOMAIN);
        if (!isSubdomain(text)) {
            problems.add(
                    mismatch(
                            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                                    + " characters, '-' or '.', and must start and end with an"
                                    + " alphanumeric character",
                            SUBDOMAIN,
                            "example.com"));
        }
        return problems;
    }

    static List<String> dns1035Label(String text) {
        var problems = tooLong(text, MAX_LABEL);
        if (!isLabel(text) || isDigit(text.charAt(0))) {
            problems.add(
                    mismatch(
                            "a DNS-1035 label must consist of lower case alphanumeric characters or"
                                    + " '-', start with an alphabetic character, and end with an"
                                    + " alphanumeric character",
                            DNS1035,
                            "my-name",
                            "abc-123"));
        }
        return problems;
    }

    static List<String> qualifiedName(String text) {
        var rule = mismatch(KEY_RULE, KEY, "MyName", "my.name", "123-abc");
        var parts = text.split("/", -1);
        if (parts.length > 2) {
            return List.of(
                    "a valid label key "
                            + rule
                            + " with an optional DNS subdomain prefix and '/'"
                            + " (e.g. 'example.com/MyName')");
        }
        var problems = new ArrayList<String>();
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                problems.add("prefix part must be non-empty");
            } else {
                dns1123Subdomain(parts[0]).forEach(p -> problems.add("prefix part " + p));
            }
        }
        var name = parts[parts.length - 1];
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        }
        tooLong(name, MAX_LABEL).forEach(p -> problems.add("name part " + p));
        if (!isKey(name)) {
            problems.add("name part " + rule);
        }
        return problems;
    }

    static List<String> labelValue(String text) {
        var problems = tooLong(text, MAX_LABEL);
        if (!text.isEmpty() && !isKey(text)) {
            problems.add(
                    mismatch(
                            "a valid label must be an empty string or consist of alphanumeric"
                                    + " characters, '-', '_' or '.', and must start and end with an"
                                    + " alphanumeric character",
                            "(" + KEY + ")?",
                            "MyValue",
                            "my_value",
                            "12345"));
        }
        return problems;
    }

    /// A `generateName` prefix may end with a dash, since characters are appended.
    static String prefix(String text) {
        return text.length() > 1 && text.endsWith("-")
                ? text.substring(0, text.length() - 2) + "a"
                : text;
    }

    private static List<String> tooLong(String text, int most) {
        var problems = new ArrayList<String>();
        if (CelBytes.utf8(text).size() > most) {
            problems.add("must be no more than %d characters".formatted(most));
        }
        return problems;
    }

    private static String mismatch(String rule, String regex, String... examples) {
        return Arrays.stream(examples)
                .collect(
                        Collectors.joining(
                                "', '", rule + " (e.g. '", "'; regex: '" + regex + "')"));
    }

    // Hand-written instead of the regular expressions quoted above, which would recurse for each
    // character of a long string.
    private static boolean isSubdomain(String text) {
        return Arrays.stream(text.split("\\.", -1)).allMatch(NameRules::isLabel);
    }

    private static boolean isLabel(String text) {
        return isFramed(text, c -> isLower(c) || isDigit(c), c -> c == '-');
    }

    private static boolean isKey(String text) {
        return isFramed(
                text,
                c -> isLower(c) || isDigit(c) || (c >= 'A' && c <= 'Z'),
                c -> c == '-' || c == '_' || c == '.');
    }

    /// Not empty, with `good` characters at both ends and `good` or `tolerable` ones between.
    private static boolean isFramed(
            String text, Predicate<Character> good, Predicate<Character> tolerable) {
        return !text.isEmpty()
                && good.test(text.charAt(0))
                && good.test(text.charAt(text.length() - 1))
                && text.chars()
                        .mapToObj(c -> (char) c)
                        .allMatch(c -> good.test(c) || tolerable.test(c));
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
