package dev.berth.server.http.request;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.ParsedDocument;
import dev.berth.model.json.YamlReader;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.schema.protobuf.ProtobufException;
import dev.berth.server.operation.RequestDocument;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.StoredSize;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Decodes request bodies.
public final class RequestBodies {

    public static final String JSON = "application/json";
    public static final String YAML = "application/yaml";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String ACCEPTED = JSON + ", " + YAML + ", " + PROTOBUF;

    private RequestBodies() {}

    public static boolean isEmpty(ApiRequest request) {
        return request.body().bytes().get().length == 0;
    }

    /// Reads an object of any kind; an empty body is decoded as an empty object.
    public static JsonObject optional(ApiRequest request) {
        return isEmpty(request) ? JsonObject.EMPTY : document(request).object();
    }

    /// Decodes the body as its content type.
    public static RequestDocument document(ApiRequest request) {
        return document(request, request.contentType());
    }

    /// Decodes the body as the given content type.
    public static RequestDocument document(ApiRequest request, String contentType) {
        var body = request.body();
        var parsed =
                contentType.equals(PROTOBUF)
                        ? protobuf(body)
                        : read(contentType, body.bytes().get());
        return new RequestDocument(
                parsed.root(),
                parsed.duplicates(),
                mayExceed(request.contentType(), body.bytes().get().length));
    }

    /// False when the JSON text of the object in the body is certainly small enough to be stored.
    private static boolean mayExceed(String contentType, int length) {
        return switch (contentType) {
            case JSON, "" -> length > StoredSize.MAX_BYTES;
            case PROTOBUF -> (long) length * ProtobufCodec.MAX_JSON_PER_BYTE > StoredSize.MAX_BYTES;
            // YAML aliases can expand to any number of bytes.
            default -> true;
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

    private static ParsedDocument protobuf(ApiRequest.Body body) {
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

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw ApiError.badRequest("the body is not UTF-8").exception();
        }
    }
}
