package dev.berth.client.http;

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
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// The protobuf encoding of built-in kinds.
///
/// A server of a newer version may have fields that our schemas lack. Protobuf does not name them,
/// so they would be lost when the object is written back. Data that cannot be decoded completely is
/// therefore an error, and is requested again as JSON.
final class ProtobufEncoding implements BodyEncoding {

    static final String TYPE = "application/vnd.kubernetes.protobuf";

    private final Runnable incomplete;

    /// @param incomplete called when data could not be decoded completely
    ProtobufEncoding(Runnable incomplete) {
        this.incomplete = incomplete;
    }

    @Override
    public Optional<HttpCall.Body> body(JsonObject object) {
        var codec = ProtobufCodec.builtIn();
        return codec.knows(object.text("apiVersion"), object.text("kind"))
                ? Optional.of(HttpCall.Body.of(TYPE, codec.encode(object)))
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
            ListWatch<T> source, String version, InputStream page, Consumer<Decoded<T>> objects)
            throws IOException {
        var body = page.readAllBytes();
        var list =
                complete(
                                () -> ProtobufCodec.builtIn().decode(body, "", ""),
                                ProtobufCodec.Decoded::unknownFields)
                        .object();
        for (var item : list.objects("items")) {
            objects.accept(source.object(version, item));
        }
        return new Decoded.Read<>(JsonListWatch.head(list), List.of());
    }

    /// The decoded value; an exception when it is not complete.
    private <R> R complete(Supplier<R> decoding, ToLongFunction<R> unknownFields)
            throws IOException {
        try {
            var decoded = decoding.get();
            if (unknownFields.applyAsLong(decoded) == 0) {
                return decoded;
            }
            throw incomplete("%d unknown fields".formatted(unknownFields.applyAsLong(decoded)));
        } catch (ProtobufException e) {
            throw incomplete(String.valueOf(e.getMessage()));
        }
    }

    private IOException incomplete(String reason) {
        incomplete.run();
        return new IOException("protobuf: " + reason + "; JSON is used from now on");
    }

    @Override
    public <T> Events<T> events(ListWatch<T> source, String version, InputStream watch) {
        var frames = new WatchFrames(watch);
        return () -> {
            var frame = frames.next();
            return frame.isEmpty()
                    ? Optional.empty()
                    : Optional.of(event(source, version, frame.get()));
        };
    }

    /// An event that is not complete ends the watch. It resumes as JSON from the previous event.
    private <T> Decoded<WatchEvent<T>> event(ListWatch<T> source, String version, byte[] message)
            throws IOException {
        var event =
                complete(
                        () -> ProtobufCodec.builtIn().decodeFrame(message),
                        ProtobufCodec.WatchFrame::unknownFields);
        return source.event(version, event.type(), event.object());
    }
}
