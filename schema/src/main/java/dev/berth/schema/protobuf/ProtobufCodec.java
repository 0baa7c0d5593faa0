package dev.berth.schema.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;

/// Protobuf encoding of the Kubernetes API for all built-in kinds, their lists and watch events:
/// media type `application/vnd.kubernetes.protobuf`.
///
/// Decoding gives the JSON that Go would write for the message. Encoding takes objects that match
/// their schema; fields that the schema does not have are not encoded.
public final class ProtobufCodec {

    /// Upper bound of the JSON bytes per byte of protobuf, in bodies of more than a few bytes;
    /// checked by a test.
    public static final int MAX_JSON_PER_BYTE = 48;

    /// A decoded body.
    ///
    /// @param unknownFields number of fields that were skipped since their number is unknown
    public record Decoded(JsonObject object, long unknownFields) {}

    /// A decoded event of a watch.
    ///
    /// @param unknownFields number of fields of the object that were skipped
    public record WatchFrame(String type, JsonObject object, long unknownFields) {}

    private static final class BuiltIn {
        private static final ProtobufCodec CODEC = new ProtobufCodec(Schemas.builtIn());
    }

    /// The only kind without apiVersion and kind in JSON.
    private static final String WATCH_EVENT = "WatchEvent";

    private final MessageTypes types;
    private final ScalarDecoder scalars =
            new ScalarDecoder((body, depth) -> decode(body, "", "", depth).object);

    public ProtobufCodec(Schemas schemas) {
        this.types = new MessageTypes(schemas, FieldNumbers.builtIn());
    }

    /// The codec of the built-in kinds; created on first use.
    public static ProtobufCodec builtIn() {
        return BuiltIn.CODEC;
    }

    /// Whether objects of a kind have a protobuf encoding.
    public boolean knows(String apiVersion, String kind) {
        return types.kind(apiVersion, kind).isPresent();
    }

    /// An encoded object with envelope.
    ///
    /// @param offset offset of the message of the object
    /// @param length length of that message
    @SuppressWarnings("ArrayRecordComponent") // written, never compared
    public record Enveloped(byte[] bytes, int offset, int length) {}

    /// Encodes an object with envelope.
    ///
    /// @throws ProtobufException if the kind has no protobuf encoding
    public byte[] encode(JsonObject object) {
        return enveloped(object, object.text("apiVersion"), object.text("kind")).bytes;
    }

    /// Encodes an object of a kind with envelope.
    public Enveloped enveloped(JsonObject object, String apiVersion, String kind) {
        var out = new ReverseBuffer(1024);
        out.put(Envelope.TAIL);
        new MessageEncoder(types, out).message(type(apiVersion, kind), object);
        var length = out.length() - Envelope.TAIL.length;
        Envelope.head(apiVersion, kind, length, out);
        var bytes = out.toBytes();
        return new Enveloped(bytes, bytes.length - Envelope.TAIL.length - length, length);
    }

    /// Encodes the metadata of a list.
    public byte[] listMetadata(JsonObject metadata) {
        var out = new ReverseBuffer(128);
        new MessageEncoder(types, out).message(types.listMetadata(), metadata);
        return out.toBytes();
    }

    private MessageType type(String apiVersion, String kind) {
        return types.kind(apiVersion, kind)
                .orElseThrow(() ->
                        new ProtobufException(
                                ProtobufException.Reason.UNKNOWN_KIND,
                                "kind \"%s\" of \"%s\" has no protobuf encoding"
                                        .formatted(kind, apiVersion)));
    }

    /// Decodes an object or a list with envelope.
    ///
    /// @throws ProtobufException if it is malformed or its kind has no protobuf encoding
    public JsonObject decode(byte[] body) {
        return decode(body, "", "").object;
    }

    /// Decodes an object or a list whose envelope may omit the kind.
    public Decoded decode(byte[] body, String defaultApiVersion, String defaultKind) {
        return decode(body, defaultApiVersion, defaultKind, 0);
    }

    private Decoded decode(byte[] body, String defaultApiVersion, String defaultKind, int depth) {
        try {
            var envelope = Envelope.read(body);
            var apiVersion =
                    envelope.apiVersion().isEmpty() ? defaultApiVersion : envelope.apiVersion();
            var kind = envelope.kind().isEmpty() ? defaultKind : envelope.kind();
            var in = CodedInputStream.newInstance(body, envelope.offset(), envelope.length());
            var decoder = new MessageDecoder(types, scalars, in, depth);
            var type = type(apiVersion, kind);
            var object = decoder.message(type, apiVersion, kind);
            return new Decoded(withKinds(type, object, apiVersion, kind), decoder.unknownFields());
        } catch (InvalidProtocolBufferException e) {
            throw ProtobufException.malformed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The object with apiVersion and kind as in JSON: items of a list have them, their messages do
    /// not.
    private JsonObject withKinds(
            MessageType type, JsonObject object, String apiVersion, String kind) {
        if (kind.equals(WATCH_EVENT)) {
            return object.without("apiVersion").without("kind");
        }
        if (!types.isList(type)) {
            return object;
        }
        var head =
                JsonObject.of("apiVersion", Json.of(apiVersion))
                        .with("kind", Json.of(kind.substring(0, kind.length() - "List".length())));
        var items = new ArrayList<Json>();
        for (var item : object.objects("items")) {
            items.add(item.beginningWith(head));
        }
        return object.with("items", new JsonArray(items));
    }

    /// Encodes a watch event, without the length prefix of the stream.
    ///
    /// @param type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
    /// @param object with envelope
    public static byte[] watchEvent(String type, byte[] object) {
        return MessageBytes.joined(MessageBytes.watchEventHead(type, object.length), object);
    }

    /// Decodes the message of a watch event.
    public WatchFrame decodeFrame(byte[] frame) {
        try {
            var in = CodedInputStream.newInstance(frame);
            var type = "";
            var raw = new byte[0];
            for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
                MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
                switch (WireFormat.getTagFieldNumber(tag)) {
                    case 1 -> type = in.readStringRequireUtf8();
                    case 2 -> raw = MessageBytes.rawExtension(in);
                    default -> in.skipField(tag);
                }
            }
            var decoded = decode(raw, "", "");
            return new WatchFrame(type, decoded.object, decoded.unknownFields);
        } catch (InvalidProtocolBufferException e) {
            throw ProtobufException.malformed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The event as JSON, as in a JSON watch.
    public static JsonObject json(WatchFrame frame) {
        return JsonObject.of("type", Json.of(frame.type)).with("object", frame.object);
    }
}
