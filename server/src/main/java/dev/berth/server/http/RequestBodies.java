package dev.berth.server.http;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.ParsedDocument;
import dev.berth.model.json.YamlReader;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.schema.protobuf.ProtobufException;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.SchemaValidator;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Decodes and validates request bodies.
final class RequestBodies {

    static final String JSON = "application/json";
    static final String YAML = "application/yaml";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String ACCEPTED = JSON + ", " + YAML + ", " + PROTOBUF;

    /// How unknown and duplicate fields are handled (`fieldValidation`).
    enum Strictness {
        IGNORE,
        WARN,
        STRICT;

        static Strictness of(RequestQuery query) {
            return switch (query.text("fieldValidation")) {
                case "Ignore" -> IGNORE;
                case "", "Warn" -> WARN;
                case "Strict" -> STRICT;
                case String other ->
                        throw ApiError.badRequest(
                                        ("fieldValidation is \"%s\"; expected Ignore, Strict or"
                                                        + " Warn")
                                                .formatted(other))
                                .exception();
            };
        }
    }

    /// A decoded object.
    ///
    /// @param object in the internal version
    record Decoded(JsonObject object, List<String> warnings) {}

    private final SchemaValidator validator;

    RequestBodies(SchemaValidator validator) {
        this.validator = validator;
    }

    /// Reads an object of a kind, in the version of the path.
    Decoded object(ApiRequest request, Resource resource, String version) {
        var document = document(request);
        var object = root(document);
        checkKind(object, resource.apiVersion(version), resource.kind());
        var duplicates = document.duplicates().stream().map(RequestBodies::duplicate).toList();
        return validated(request.query(), resource, version, object, duplicates);
    }

    /// Validates a decoded object.
    Decoded validated(
            RequestQuery query,
            Resource resource,
            String version,
            JsonObject object,
            List<String> duplicates) {
        return switch (validate(query, resource, version, object, duplicates)) {
            case Validated.Valid(var decoded) -> decoded;
            case Validated.Invalid(var message) -> throw invalid(resource, version, message);
        };
    }

    /// Result of validating an object against its schema.
    sealed interface Validated {
        record Valid(Decoded decoded) implements Validated {}

        record Invalid(String message) implements Validated {}
    }

    Validated validate(
            RequestQuery query,
            Resource resource,
            String version,
            JsonObject object,
            List<String> duplicates) {
        var result = validator.check(resource, version, object);
        if (!result.errors().isEmpty()) {
            return new Validated.Invalid(String.join(", ", result.errors()));
        }
        var warnings = new ArrayList<>(result.warnings());
        warnings.addAll(duplicates);
        return switch (Strictness.of(query)) {
            case IGNORE -> new Validated.Valid(new Decoded(result.object(), List.of()));
            case WARN -> new Validated.Valid(new Decoded(result.object(), warnings));
            case STRICT ->
                    warnings.isEmpty()
                            ? new Validated.Valid(new Decoded(result.object(), List.of()))
                            : new Validated.Invalid(
                                    "strict decoding error: " + String.join(", ", warnings));
        };
    }

    private static String duplicate(FieldPath path) {
        return "duplicate field \"%s\"".formatted(path);
    }

    private static RuntimeException invalid(Resource resource, String version, String message) {
        return ApiError.badRequest(
                        "%s in version \"%s\" cannot be handled as a %s: %s"
                                .formatted(resource.kind(), version, resource.kind(), message))
                .exception();
    }

    /// Reads an object of any kind; an empty body is decoded as an empty object.
    static JsonObject optional(ApiRequest request) {
        return isEmpty(request) ? JsonObject.EMPTY : root(document(request));
    }

    /// False when the JSON text of the object in the body is certainly not larger. Objects of
    /// in-process clients are small.
    static boolean mayExceed(ApiRequest request, int bytes) {
        return switch (request.body()) {
            case ApiRequest.Body.Text(var text, _) ->
                    switch (request.contentType()) {
                        case JSON, "" -> text.get().length > bytes;
                        case PROTOBUF ->
                                (long) text.get().length * ProtobufCodec.MAX_JSON_PER_BYTE > bytes;
                        // YAML aliases can expand to any number of bytes.
                        default -> true;
                    };
            case ApiRequest.Body.Value _ -> false;
        };
    }

    static boolean isEmpty(ApiRequest request) {
        return switch (request.body()) {
            case ApiRequest.Body.Text(var bytes, _) -> bytes.get().length == 0;
            case ApiRequest.Body.Value(var json) -> json.isEmpty();
        };
    }

    /// Reads an object of a kind that is not stored, such as `Binding`.
    static JsonObject untyped(ApiRequest request, String apiVersion, String kind) {
        var object = root(document(request));
        checkKind(object, apiVersion, kind);
        return object;
    }

    private static void checkKind(JsonObject object, String apiVersion, String kind) {
        var writtenVersion = object.text("apiVersion");
        var writtenKind = object.text("kind");
        if ((!writtenVersion.isEmpty() && !writtenVersion.equals(apiVersion))
                || (!writtenKind.isEmpty() && !writtenKind.equals(kind))) {
            throw ApiError.badRequest(
                            ("the object provided is unrecognized (%s, Kind=%s); this address takes"
                                            + " %s, Kind=%s")
                                    .formatted(writtenVersion, writtenKind, apiVersion, kind))
                    .exception();
        }
    }

    private static ParsedDocument document(ApiRequest request) {
        return document(request, request.contentType());
    }

    /// Decodes the body as the given content type.
    static ParsedDocument document(ApiRequest request, String contentType) {
        return switch (request.body()) {
            case ApiRequest.Body.Text text when contentType.equals(PROTOBUF) -> protobuf(text);
            case ApiRequest.Body.Text(var bytes, _) -> read(contentType, bytes.get());
            case ApiRequest.Body.Value(var json) ->
                    ParsedDocument.of(json.orElse(JsonNull.INSTANCE));
        };
    }

    private static ParsedDocument read(String contentType, byte[] bytes) {
        var parsed =
                switch (contentType) {
                    case JSON, "" -> JsonReader.readUnplaced(bytes);
                    case YAML, "text/yaml", "application/x-yaml" -> YamlReader.read(text(bytes));
                    default -> throw ApiError.unsupportedMediaType(ACCEPTED).exception();
                };
        return switch (parsed) {
            case ParseResult.Documents(var documents) when documents.size() == 1 ->
                    documents.getFirst();
            case ParseResult.Documents(var documents) ->
                    throw ApiError.badRequest(
                                    "the body holds %d documents; send one"
                                            .formatted(documents.size()))
                            .exception();
            case ParseResult.Malformed malformed ->
                    throw ApiError.badRequest(
                                    "couldn't read the body as %s: line %d, column %d: %s"
                                            .formatted(
                                                    contentType.isEmpty() ? JSON : contentType,
                                                    malformed.line(),
                                                    malformed.column(),
                                                    malformed.message()))
                            .exception();
        };
    }

    private static ParsedDocument protobuf(ApiRequest.Body.Text body) {
        try {
            var decoded = ProtobufCodec.builtIn().decode(body.bytes().get(), "", "");
            if (decoded.unknownFields() > 0) {
                body.unknownFields().accept(decoded.unknownFields());
            }
            return ParsedDocument.of(decoded.object());
        } catch (ProtobufException e) {
            throw switch (e.reason()) {
                case MALFORMED ->
                        ApiError.badRequest(
                                        "couldn't read the body as %s: %s"
                                                .formatted(PROTOBUF, e.getMessage()))
                                .exception();
                case UNKNOWN_KIND ->
                        ApiError.unsupportedMediaType(String.valueOf(e.getMessage()), JSON)
                                .exception();
            };
        }
    }

    static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw ApiError.badRequest("the body is not UTF-8").exception();
        }
    }

    static JsonObject root(ParsedDocument document) {
        return switch (document.root()) {
            case JsonObject object -> object;
            case JsonNull _ ->
                    throw ApiError.badRequest("the body is empty; expected an object").exception();
            case Json other ->
                    throw ApiError.badRequest(
                                    "the body is of type %s; expected an object"
                                            .formatted(other.kindName()))
                            .exception();
        };
    }
}
