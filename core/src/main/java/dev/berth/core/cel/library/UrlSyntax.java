package dev.berth.core.cel.library;

import dev.berth.core.text.GoText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// URL parser with the rules of Go's `net/url`, as in Kubernetes.
final class UrlSyntax {

    /// Result of parsing.
    sealed interface Result {}

    record Parsed(Url url) implements Result {}

    record Malformed(String reason) implements Result {}

    private enum Part {
        PATH("$&+,/:;=@"),
        HOST("!$&'()*+,;=:[]<>\""),
        OTHER("");

        /// Characters that need no escape in this part, besides letters, digits and `-_.~`.
        private final String plain;

        Part(String plain) {
            this.plain = plain;
        }
    }

    private static final String UNRESERVED = "-_.~";
    private static final String ALSO_IN_RAW_PATH = "!'()*[]%";
    private static final String IN_USER = "-._:~!$&'()*+,;=%@";

    private UrlSyntax() {}

    /// Parses an absolute URI or an absolute path like Go's `ParseRequestURI`, and then again like
    /// `Parse`, to find the fragment that a request line does not have.
    static Result parse(String text) {
        try {
            parse(text, true, "");
            var hash = text.indexOf('#');
            return new Parsed(
                    hash < 0
                            ? parse(text, false, "")
                            : parse(
                                    text.substring(0, hash),
                                    false,
                                    decode(text.substring(hash + 1), Part.OTHER)));
        } catch (InvalidUrl e) {
            return new Malformed("parse %s: %s".formatted(GoText.quote(text), e.getMessage()));
        }
    }

    /// The error of a text that is not an absolute URI or path.
    static Optional<String> request(String text) {
        try {
            parse(text, true, "");
            return Optional.empty();
        } catch (InvalidUrl e) {
            return Optional.of("parse %s: %s".formatted(GoText.quote(text), e.getMessage()));
        }
    }

    private static Url parse(String text, boolean request, String fragment) throws InvalidUrl {
        if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new InvalidUrl("net/url: invalid control character in URL");
        }
        if (text.isEmpty() && request) {
            throw new InvalidUrl("empty url");
        }
        if (text.equals("*")) {
            return new Url("", "", "", "", "*", "", fragment);
        }
        var colon = endOfScheme(text);
        var scheme = text.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
        var rest = text.substring(colon + 1);
        var mark = rest.indexOf('?');
        var query = mark < 0 ? "" : rest.substring(mark + 1);
        rest = mark < 0 ? rest : rest.substring(0, mark);
        if (!rest.startsWith("/")) {
            if (!scheme.isEmpty()) {
                return new Url(scheme, rest, "", "", "", query, fragment);
            }
            checkRelative(rest, request);
        }
        var authority = "";
        var hasAuthority = !scheme.isEmpty() || (!request && !rest.startsWith("///"));
        if (hasAuthority && rest.startsWith("//")) {
            var slash = rest.indexOf('/', 2);
            authority = rest.substring(2, slash < 0 ? rest.length() : slash);
            rest = slash < 0 ? "" : rest.substring(slash);
        }
        var at = authority.lastIndexOf('@');
        var host = host(authority.substring(at + 1));
        var user = at < 0 ? "" : user(authority.substring(0, at)) + "@";
        return new Url(scheme, "", user, host, path(rest), query, fragment);
    }

    private static void checkRelative(String rest, boolean request) throws InvalidUrl {
        if (request) {
            throw new InvalidUrl("invalid URI for request");
        }
        var slash = rest.indexOf('/');
        if (rest.substring(0, slash < 0 ? rest.length() : slash).indexOf(':') >= 0) {
            throw new InvalidUrl("first path segment in URL cannot contain colon");
        }
    }

    /// The index of the colon after the scheme; -1 if there is no scheme.
    private static int endOfScheme(String text) throws InvalidUrl {
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c == ':') {
                if (i == 0) {
                    throw new InvalidUrl("missing protocol scheme");
                }
                return i;
            }
            var inside = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (!isLetter(c) && (i == 0 || !inside)) {
                return -1;
            }
        }
        return -1;
    }

    private static String user(String text) throws InvalidUrl {
        if (!text.chars().allMatch(c -> isAlphanumeric(c) || IN_USER.indexOf(c) >= 0)) {
            throw new InvalidUrl("net/url: invalid userinfo");
        }
        return decode(text, Part.OTHER);
    }

    private static String host(String text) throws InvalidUrl {
        var colon = text.lastIndexOf(':');
        var port = colon < 0 ? "" : text.substring(colon);
        if (text.startsWith("[")) {
            var bracket = text.lastIndexOf(']');
            if (bracket < 0) {
                throw new InvalidUrl("missing ']' in host");
            }
            port = text.substring(bracket + 1);
        }
        if (!isPort(port)) {
            throw new InvalidUrl("invalid port %s after host".formatted(GoText.quote(port)));
        }
        return decode(text, Part.HOST);
    }

    /// Whether the text is a valid port suffix: empty, or a colon with or without digits.
    static boolean isPort(String text) {
        return text.isEmpty()
                || (text.charAt(0) == ':'
                        && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    }

    /// The path as written if it is a valid encoding; otherwise encoded again.
    private static String path(String raw) throws InvalidUrl {
        var decoded = decode(raw, Part.PATH);
        var validEncoding =
                raw.chars()
                        .allMatch(c -> isPlain(c, Part.PATH) || ALSO_IN_RAW_PATH.indexOf(c) >= 0);
        return validEncoding ? raw : encode(decoded);
    }

    private static String encode(String decoded) {
        var text = new StringBuilder();
        for (var b : decoded.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(b & 0xff, Part.PATH)) {
                text.append((char) b);
            } else {
                text.append("%%%02X".formatted(b & 0xff));
            }
        }
        return text.toString();
    }

    static Map<String, List<Object>> query(String raw) {
        var query = new LinkedHashMap<String, List<Object>>();
        for (var pair : raw.split("&", -1)) {
            if (pair.isEmpty() || pair.indexOf(';') >= 0) {
                continue;
            }
            var equals = pair.indexOf('=');
            var key = equals < 0 ? pair : pair.substring(0, equals);
            var value = equals < 0 ? "" : pair.substring(equals + 1);
            try {
                var decoded = decode(value.replace('+', ' '), Part.OTHER);
                query.computeIfAbsent(
                                decode(key.replace('+', ' '), Part.OTHER), _ -> new ArrayList<>())
                        .add(decoded);
            } catch (InvalidUrl _) {
                // Malformed pairs are omitted, as in Kubernetes.
            }
        }
        query.replaceAll((_, values) -> List.copyOf(values));
        return query;
    }

    private static String decode(String text, Part part) throws InvalidUrl {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var decoded = new byte[bytes.length];
        var length = 0;
        for (var i = 0; i < bytes.length; i++) {
            var c = bytes[i] & 0xff;
            if (c == '%') {
                decoded[length++] = (byte) escaped(bytes, i, part);
                i += 2;
                continue;
            }
            if (part == Part.HOST && c < 0x80 && !isPlain(c, part)) {
                throw new InvalidUrl(
                        "invalid character %s in host name"
                                .formatted(GoText.quote(Character.toString(c))));
            }
            decoded[length++] = (byte) c;
        }
        return new String(decoded, 0, length, StandardCharsets.UTF_8);
    }

    private static int escaped(byte[] bytes, int at, Part part) throws InvalidUrl {
        var high = at + 1 < bytes.length ? Character.digit(bytes[at + 1], 16) : -1;
        var low = at + 2 < bytes.length ? Character.digit(bytes[at + 2], 16) : -1;
        var value = high << 4 | low;
        // In a host, only non-ASCII bytes and the percent sign may be escaped.
        var misplaced = part == Part.HOST && high < 8 && value != '%';
        if (high < 0 || low < 0 || misplaced) {
            var end = Math.min(at + 3, bytes.length);
            var escape = new String(bytes, at, end - at, StandardCharsets.UTF_8);
            throw new InvalidUrl("invalid URL escape " + GoText.quote(escape));
        }
        return value;
    }

    private static boolean isPlain(int c, Part part) {
        return isAlphanumeric(c) || UNRESERVED.indexOf(c) >= 0 || part.plain.indexOf(c) >= 0;
    }

    private static boolean isAlphanumeric(int c) {
        return isLetter(c) || (c >= '0' && c <= '9');
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /// Aborts parsing at the first error; does not leave this class.
    private static final class InvalidUrl extends Exception {

        private static final long serialVersionUID = 1L;

        private InvalidUrl(String message) {
            super(message);
        }
    }
}
