package dev.berth.server.kinds.check;

import dev.berth.core.admission.field.NameFormats;
import java.util.ArrayList;
import java.util.List;

/// String formats that schemas refer to by `format F`.
public final class FieldFormats {

    /// A format of objects and not of strings; implemented by [FieldChecks].
    static final String LABEL_SELECTOR = "label-selector";

    private FieldFormats() {}

    /// Error messages for a string; empty if it has the format.
    public static List<String> messages(String format, String text) {
        return switch (format) {
            case "dns-label" -> NameFormats.label(text);
            case "dns-subdomain" -> NameFormats.subdomain(text);
            case "qualified-name" -> NameFormats.labelKey(text);
            case "path-segment" -> KindNameFormats.pathSegment(text);
            case "ip" -> unless(IpAddresses.isAddress(text), "must be a valid IP address");
            case "cidr" ->
                    unless(
                            IpAddresses.isCidr(text),
                            "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
            case "absolute-path" -> unless(text.startsWith("/"), "must be an absolute path");
            case "signer-name" -> signerName(text);
            case "wildcard-host" ->
                    NameFormats.subdomain(text.startsWith("*.") ? text.substring(2) : text);
            case "domain-of-three" -> domainOfThree(text);
            case LABEL_SELECTOR -> List.of();
            default -> throw new IllegalArgumentException("unknown format " + format);
        };
    }

    private static List<String> unless(boolean holds, String message) {
        return holds ? List.of() : List.of(message);
    }

    /// A domain and a path, such as `example.com/my-signer`.
    private static List<String> signerName(String text) {
        var slash = text.indexOf('/');
        if (slash < 0) {
            return List.of(
                    "must be a fully qualified domain and path of the form"
                            + " 'example.com/signer-name'");
        }
        var messages = new ArrayList<>(NameFormats.subdomain(text.substring(0, slash)));
        messages.addAll(NameFormats.subdomain(text.substring(slash + 1)));
        return messages;
    }

    private static List<String> domainOfThree(String text) {
        var messages = new ArrayList<>(NameFormats.subdomain(text));
        if (messages.isEmpty() && text.split("\\.", -1).length < 3) {
            messages.add("should be a domain with at least three segments separated by dots");
        }
        return messages;
    }
}
