package dev.berth.server.http;

import dev.berth.server.registry.Failure;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How an answer is to look.
///
/// @param form what of the object is shown
/// @param version of the form, where it has several
public record Media(Encoding encoding, Form form, String version) {

    /// How it is written.
    public enum Encoding {
        JSON("application/json"),
        YAML("application/yaml");

        private final String type;

        Encoding(String type) {
            this.type = type;
        }

        public String type() {
            return type;
        }
    }

    /// What is written.
    public enum Form {
        WHOLE,
        TABLE,
        METADATA,
        DISCOVERY
    }

    static final String OFFERED = "application/json, application/yaml";

    private static final Media PLAIN = new Media(Encoding.JSON, Form.WHOLE, "");

    /// The first wish of an `Accept` header that can be fulfilled.
    static Media of(List<String> acceptHeaders) {
        if (acceptHeaders.isEmpty()) {
            return PLAIN;
        }
        var header = String.join(",", acceptHeaders);
        if (header.isBlank()) {
            return PLAIN;
        }
        for (var wish : header.split(",", -1)) {
            var media = wish(wish.strip());
            if (media != null) {
                return media;
            }
        }
        throw Failure.notAcceptable(OFFERED).refused();
    }

    private static @Nullable Media wish(String wish) {
        var parts = wish.split(";", -1);
        var parameters = parameters(parts);
        var form =
                switch (parameters.getOrDefault("as", "")) {
                    case "" -> Form.WHOLE;
                    case "Table" -> Form.TABLE;
                    case "PartialObjectMetadata", "PartialObjectMetadataList" -> Form.METADATA;
                    case "APIGroupDiscoveryList" -> Form.DISCOVERY;
                    default -> null;
                };
        if (form == null) {
            return null;
        }
        var version = parameters.getOrDefault("v", "");
        return switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
            case "application/json", "*/*", "application/*" ->
                    new Media(Encoding.JSON, form, version);
            case "application/yaml" -> new Media(Encoding.YAML, form, version);
            default -> null;
        };
    }

    private static Map<String, String> parameters(String[] parts) {
        var parameters = new TreeMap<String, String>();
        for (var i = 1; i < parts.length; i++) {
            var at = parts[i].indexOf('=');
            if (at > 0) {
                parameters.put(
                        parts[i].substring(0, at).strip(), parts[i].substring(at + 1).strip());
            }
        }
        return parameters;
    }
}
