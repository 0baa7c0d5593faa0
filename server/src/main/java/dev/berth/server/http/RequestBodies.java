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

/// Reads what clients send.
final class RequestBodies {

    static final String JSON = "application/json";
    static final String YAML = "application/yaml";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String ACCEPTED = JSON + ", " + YAML + ", " + PROTOBUF;

    /// How the fields that nobody knows are taken.
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

    /// An object that was sent.
    ///
    /// @param object of the version that travels inside
    record Sent(JsonObject object, List<String> warnings) {}

    private final SchemaValidator shapes;

    RequestBodies(SchemaValidator shapes) {
        this.shapes = shapes;
    }

    /// Reads an object of a kind, in the version of the address.
    Sent object(ApiRequest asked, Resource resource, String version) {
        var document = document(asked);
        var object = root(document);
        checkKind(object, resource.apiVersion(version), resource.kind());
        var duplicates = document.duplicates().stream().map(RequestBodies::duplicate).toList();
        return checked(asked.query(), resource, version, object, duplicates);
    }

    /// Checks an object, however it came about.
    Sent checked(
            RequestQuery query,
            Resource resource,
            String version,
            JsonObject object,
            List<String> duplicates) {
        return switch (check(query, resource, version, object, duplicates)) {
            case Checked.Fine(var sent) -> sent;
            case Checked.Wrong(var why) -> throw notUnderstood(resource, version, why);
        };
    }

    /// What came of looking at the fields of an object.
    sealed interface Checked {
        record Fine(Sent sent) implements Checked {}

        record Wrong(String why) implements Checked {}
    }

    Checked check(
            RequestQuery query,
            Resource resource,
            String version,
            JsonObject object,
            List<String> duplicates) {
        var checked = shapes.check(resource, version, object);
        if (!checked.faults().isEmpty()) {
            return new Checked.Wrong(String.join(", ", checked.faults()));
        }
        var oddities = new ArrayList<>(checked.oddities());
        oddities.addAll(duplicates);
        return switch (Strictness.of(query)) {
            case IGNORE -> new Checked.Fine(new Sent(checked.object(), List.of()));
            case WARN -> new Checked.Fine(new Sent(checked.object(), oddities));
            case STRICT ->
                    oddities.isEmpty()
                            ? new Checked.Fine(new Sent(checked.object(), List.of()))
                            : new Checked.Wrong(
                                    "strict decoding error: " + String.join(", ", oddities));
        };
    }

    private static String duplicate(FieldPath path) {
        return "duplicate field \"%s\"".formatted(path);
    }

    private static RuntimeException notUnderstood(Resource resource, String version, String why) {
        return ApiError.badRequest(
                        "%s in version \"%s\" cannot be handled as a %s: %s"
                                .formatted(resource.kind(), version, resource.kind(), why))
                .exception();
    }

    /// Reads an object of whatever kind; an empty body reads as an empty object.
    static JsonObject optional(ApiRequest asked) {
        return isEmpty(asked) ? JsonObject.EMPTY : root(document(asked));
    }

    /// False when the object of a body has at most so many bytes of JSON for certain. Objects from
    /// this process are small.
    static boolean mayExceed(ApiRequest asked, int bytes) {
        return switch (asked.body()) {
            case ApiRequest.Body.Text(var text, _) ->
                    switch (asked.contentType()) {
                        case JSON, "" -> text.get().length > bytes;
                        case PROTOBUF ->
                                (long) text.get().length * ProtobufCodec.MAX_JSON_PER_BYTE > bytes;
                        // An alias of YAML can stand for any number of bytes.
                        default -> true;
                    };
            case ApiRequest.Body.Value _ -> false;
        };
    }

    static boolean isEmpty(ApiRequest asked) {
        return switch (asked.body()) {
            case ApiRequest.Body.Text(var bytes, _) -> bytes.get().length == 0;
            case ApiRequest.Body.Value(var json) -> json.isEmpty();
        };
    }

    /// Reads an object of a kind that is not stored, such as `Binding`.
    static JsonObject untyped(ApiRequest asked, String apiVersion, String kind) {
        var object = root(document(asked));
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

    private static ParsedDocument document(ApiRequest asked) {
        return document(asked, asked.contentType());
    }

    /// What was sent, read as if it were of that type.
    static ParsedDocument document(ApiRequest asked, String contentType) {
        return switch (asked.body()) {
            case ApiRequest.Body.Text text when contentType.equals(PROTOBUF) -> protobuf(text);
            case ApiRequest.Body.Text(var bytes, _) -> read(contentType, bytes.get());
            case ApiRequest.Body.Value(var json) ->
                    ParsedDocument.of(json.orElse(JsonNull.INSTANCE));
        };
    }

    private static ParsedDocument read(String contentType, byte[] bytes) {
        var reading =
                switch (contentType) {
                    case JSON, "" -> JsonReader.readUnplaced(bytes);
                    case YAML, "text/yaml", "application/x-yaml" -> YamlReader.read(text(bytes));
                    default -> throw ApiError.unsupportedMediaType(ACCEPTED).exception();
                };
        return switch (reading) {
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
