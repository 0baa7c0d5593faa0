package dev.berth.client.http;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.WatchEvent;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.schema.protobuf.ProtobufException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The protobuf encoding of built-in kinds.
///
/// A server of a newer version may have fields that our schemas lack. Protobuf does not name them,
/// so they would be lost when the object is written back. What cannot be decoded completely is
/// therefore reported as such, and read again as JSON.
final class ProtobufEncoding implements BodyEncoding {

    static final String TYPE = "application/vnd.kubernetes.protobuf";

    private final Runnable incomplete;

    /// @param incomplete called when something could not be decoded completely
    ProtobufEncoding(Runnable incomplete) {
        this.incomplete = incomplete;
    }

    @Override
    public Optional<Call.Body> body(JsonObject object) {
        var codec = ProtobufCodec.builtIn();
        return codec.knows(object.text("apiVersion"), object.text("kind"))
                ? Optional.of(Call.Body.of(TYPE, codec.encode(object)))
                : Optional.empty();
    }

    @Override
    public JsonObject object(byte[] body) {
        try {
            var decoded = ProtobufCodec.builtIn().decode(body, "", "");
            if (decoded.unknownFields() > 0) {
                incomplete.run();
            }
            return decoded.object();
        } catch (ProtobufException _) {
            incomplete.run();
            return JsonObject.EMPTY;
        }
    }

    @Override
    public <T> Decoded<ListHead> list(
            Source<T> source, String version, InputStream page, Consumer<Decoded<T>> objects)
            throws IOException {
        var list = decoded(page.readAllBytes());
        for (var item : list.objects("items")) {
            objects.accept(source.object(version, item));
        }
        return new Decoded.Read<>(TreeSource.head(list), List.of());
    }

    private JsonObject decoded(byte[] body) throws IOException {
        try {
            var decoded = ProtobufCodec.builtIn().decode(body, "", "");
            if (decoded.unknownFields() == 0) {
                return decoded.object();
            }
            throw incomplete("%d unknown fields".formatted(decoded.unknownFields()));
        } catch (ProtobufException e) {
            throw incomplete(String.valueOf(e.getMessage()));
        }
    }

    private IOException incomplete(String reason) {
        incomplete.run();
        return new IOException("protobuf: " + reason + "; JSON is used from now on");
    }

    @Override
    public <T> Events<T> events(Source<T> source, String version, InputStream watch) {
        var frames = new Frames(watch);
        return () -> {
            var frame = frames.next();
            return frame.isEmpty()
                    ? Optional.empty()
                    : Optional.of(event(source, version, message(frame.get())));
        };
    }

    private WatchMessage message(byte[] frame) throws IOException {
        try {
            return WatchMessage.read(frame);
        } catch (InvalidProtocolBufferException e) {
            throw incomplete(String.valueOf(e.getMessage()));
        }
    }

    /// An event that is not complete ends the watch. It goes on as JSON from the event before.
    private <T> Decoded<WatchEvent<T>> event(Source<T> source, String version, WatchMessage message)
            throws IOException {
        return source.event(version, message.type(), decoded(message.object().toByteArray()));
    }
}
