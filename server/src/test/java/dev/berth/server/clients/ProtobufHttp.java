package dev.berth.server.clients;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.ProtobufCodec;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// Requests and watches in the protobuf encoding, on the connection of an HTTP client.
record ProtobufHttp(Http http) {

    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    static final String METADATA = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /// The response to a request.
    ///
    /// @param type media type of the body
    @SuppressWarnings("ArrayRecordComponent") // read, never compared
    record Response(int code, String type, byte[] bytes) {

        /// The object of a body in protobuf or JSON.
        JsonObject object() {
            return type.startsWith(PROTOBUF)
                    ? ProtobufCodec.builtIn().decode(bytes)
                    : Http.parsed(text());
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        /// Status code, media type, kind and reason, in one line.
        String summary() {
            var object = object();
            return "%d %s %s %s"
                    .formatted(code, type, object.text("kind"), object.text("reason"))
                    .strip();
        }

        List<String> names() {
            return object().objects("items").stream().map(ProtobufHttp::name).toList();
        }
    }

    static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }

    static String revision(JsonObject object) {
        return object.objectOrEmpty("metadata").text("resourceVersion");
    }

    Response get(String path) {
        return get(path, PROTOBUF);
    }

    Response get(String path, String accept) {
        return answer(HttpRequest.newBuilder(http.uri(path)).header("Accept", accept).GET());
    }

    /// Sends a body in protobuf; accepts protobuf.
    Response send(String method, String path, byte[] body) {
        return answer(
                HttpRequest.newBuilder(http.uri(path))
                        .header("Accept", PROTOBUF)
                        .header("Content-Type", PROTOBUF)
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    /// Sends a body in JSON; accepts protobuf.
    Response sendJson(String method, String path, String body) {
        return answer(
                HttpRequest.newBuilder(http.uri(path))
                        .header("Accept", PROTOBUF)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    private Response answer(HttpRequest.Builder request) {
        var response = response(request.timeout(TIMEOUT), HttpResponse.BodyHandlers.ofByteArray());
        var type = response.headers().firstValue("Content-Type").orElse("");
        return new Response(response.statusCode(), type, response.body());
    }

    private <T> HttpResponse<T> response(
            HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.client().send(request.build(), handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Starts a watch.
    Frames watch(String path) {
        return watch(path, PROTOBUF + ";stream=watch");
    }

    Frames watch(String path, String accept) {
        var request = HttpRequest.newBuilder(http.uri(path)).header("Accept", accept).GET();
        var response = response(request, HttpResponse.BodyHandlers.ofInputStream());
        return new Frames(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                new DataInputStream(response.body()));
    }

    /// The frames of a watch: four bytes of length, then a WatchEvent.
    record Frames(int code, String type, DataInputStream input) implements AutoCloseable {

        /// The next event; its type is `END` at the end of the stream.
        ProtobufCodec.WatchFrame next() {
            try {
                var length = input.readInt();
                return ProtobufCodec.builtIn().decodeFrame(input.readNBytes(length));
            } catch (EOFException _) {
                return new ProtobufCodec.WatchFrame("END", JsonObject.EMPTY, 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Type and name of the next event.
        String nextName() {
            var frame = next();
            return (frame.type() + " " + name(frame.object())).strip();
        }

        @Override
        public void close() {
            try {
                input.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
