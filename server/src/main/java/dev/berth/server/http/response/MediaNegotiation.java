package dev.berth.server.http.response;

import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.registry.ApiError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The media type of a response, negotiated from an `Accept` header.
///
/// @param form the representation of the object
/// @param version API version of the form, where it has several
public record MediaNegotiation(Encoding encoding, Form form, String version) {

    /// Encodings of objects.
    public enum Encoding {
        JSON("application/json"),
        YAML("application/yaml"),
        PROTOBUF("application/vnd.kubernetes.protobuf");

        private final String type;

        Encoding(String type) {
            this.type = type;
        }

        public String type() {
            return type;
        }
    }

    /// Representations of objects and lists.
    public enum Form {
        WHOLE,
        TABLE,
        METADATA,
        DISCOVERY
    }

    /// The media types that a path supports.
    public enum Offer {
        /// Objects of built-in kinds: every encoding.
        BUILT_IN("application/json, application/yaml, application/vnd.kubernetes.protobuf"),
        /// Objects of custom kinds: protobuf for their metadata only.
        CUSTOM("application/json, application/yaml"),
        /// Watches of built-in kinds: YAML has no separator of events.
        BUILT_IN_WATCH(
                "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"),
        /// Watches of custom kinds.
        CUSTOM_WATCH("application/json;stream=watch");

        private final String types;

        Offer(String types) {
            this.types = types;
        }

        public static Offer of(boolean custom, boolean watch) {
            if (watch) {
                return custom ? CUSTOM_WATCH : BUILT_IN_WATCH;
            }
            return custom ? CUSTOM : BUILT_IN;
        }

        private boolean has(MediaNegotiation media) {
            return switch (media.encoding) {
                case JSON -> true;
                case YAML -> this == BUILT_IN || this == CUSTOM;
                case PROTOBUF -> hasProtobuf(media.form);
            };
        }

        private boolean hasProtobuf(Form form) {
            return switch (form) {
                case METADATA -> true;
                case TABLE -> false;
                case WHOLE, DISCOVERY -> this == BUILT_IN || this == BUILT_IN_WATCH;
            };
        }
    }

    private static final String JSON_TYPE = "application/json";

    private static final String PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";

    static final MediaNegotiation JSON = new MediaNegotiation(Encoding.JSON, Form.WHOLE, "");
    private static final MediaNegotiation PROTOBUF =
            new MediaNegotiation(Encoding.PROTOBUF, Form.WHOLE, "");

    /// One clause of an `Accept` header.
    private record Clause(String type, Map<String, String> parameters) {

        static Clause parse(String text) {
            var parts = text.split(";", -1);
            var parameters = new TreeMap<String, String>();
            for (var i = 1; i < parts.length; i++) {
                var at = parts[i].indexOf('=');
                if (at > 0) {
                    parameters.put(
                            parts[i].substring(0, at).strip(), parts[i].substring(at + 1).strip());
                }
            }
            return new Clause(parts[0].strip().toLowerCase(Locale.ROOT), parameters);
        }

        double quality() {
            try {
                return Double.parseDouble(parameters.getOrDefault("q", "1"));
            } catch (NumberFormatException _) {
                return 1;
            }
        }

        Optional<MediaNegotiation> media() {
            var version = parameters.getOrDefault("v", "");
            return encoding()
                    .flatMap(encoding ->
                            form().map(form -> new MediaNegotiation(encoding, form, version)));
        }

        private Optional<Encoding> encoding() {
            return switch (type) {
                case JSON_TYPE, "*/*", "application/*" -> Optional.of(Encoding.JSON);
                case "application/yaml" -> Optional.of(Encoding.YAML);
                case PROTOBUF_TYPE -> Optional.of(Encoding.PROTOBUF);
                default -> Optional.empty();
            };
        }

        private Optional<Form> form() {
            return switch (parameters.getOrDefault("as", "")) {
                case "" -> Optional.of(Form.WHOLE);
                case "Table" -> Optional.of(Form.TABLE).filter(_ -> isMeta());
                case "PartialObjectMetadata", "PartialObjectMetadataList" ->
                        Optional.of(Form.METADATA).filter(_ -> isMeta());
                case "APIGroupDiscoveryList" ->
                        Optional.of(Form.DISCOVERY)
                                .filter(_ -> isOf("apidiscovery.k8s.io", "v2", "v2beta1"));
                default -> Optional.empty();
            };
        }

        private boolean isMeta() {
            return isOf("meta.k8s.io", "v1", "v1beta1");
        }

        private boolean isOf(String group, String... versions) {
            return group.equals(parameters.get("g"))
                    && List.of(versions).contains(parameters.getOrDefault("v", ""));
        }
    }

    /// The supported clause with the highest quality; the first of equal ones. JSON when the client
    /// sends no `Accept` header.
    public static MediaNegotiation of(ApiRequest request, Offer offer) {
        return of(request.headers().apply("Accept"), offer);
    }

    static MediaNegotiation of(List<String> acceptHeaders, Offer offer) {
        return find(acceptHeaders, offer)
                .orElseThrow(() -> ApiError.notAcceptable(offer.types).exception());
    }

    /// The encoding of an error: JSON when the client accepts none of the supported types.
    public static MediaNegotiation ofError(List<String> acceptHeaders) {
        return find(acceptHeaders, Offer.BUILT_IN)
                .filter(media -> media.encoding == Encoding.PROTOBUF)
                .map(_ -> PROTOBUF)
                .orElse(JSON);
    }

    private static Optional<MediaNegotiation> find(List<String> acceptHeaders, Offer offer) {
        var header = String.join(",", acceptHeaders);
        if (header.isBlank() || header.equals(JSON_TYPE)) {
            return Optional.of(JSON);
        }
        // Go clients send "application/vnd.kubernetes.protobuf, */*" with every request.
        if (offer.has(PROTOBUF) && prefersProtobuf(header)) {
            return Optional.of(PROTOBUF);
        }
        var clauses = new ArrayList<Clause>();
        for (var text : header.split(",", -1)) {
            var clause = Clause.parse(text);
            if (clause.quality() > 0) {
                clauses.add(clause);
            }
        }
        clauses.sort(Comparator.comparingDouble(Clause::quality).reversed());
        return clauses.stream().flatMap(one -> one.media().stream()).filter(offer::has).findFirst();
    }

    /// True when the first of several types without parameters is protobuf.
    private static boolean prefersProtobuf(String header) {
        return header.startsWith(PROTOBUF_TYPE)
                && header.indexOf(';') < 0
                && (header.length() == PROTOBUF_TYPE.length()
                        || header.charAt(PROTOBUF_TYPE.length()) == ',');
    }

    /// The same encoding for a whole object.
    public MediaNegotiation whole() {
        return new MediaNegotiation(encoding, Form.WHOLE, "");
    }
}
