package dev.berth.node.channel;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// The channels that share a WebSocket: the first byte of a message says which one it is for.
public enum StreamChannel {
    INPUT(0),
    OUTPUT(1),
    ERRORS(2),
    /// What came of the command, once.
    RESULT(3),
    /// The size of the window.
    SIZE(4),
    /// The channel whose number follows has ended; from the fifth version on.
    CLOSE(255);

    /// Newest first. The fifth can tell the end of the input.
    public static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    /// The size of a window.
    public record Size(int columns, int rows) {}

    private final int number;

    StreamChannel(int number) {
        this.number = number;
    }

    public static Optional<StreamChannel> of(byte number) {
        for (var channel : values()) {
            if (channel.number == (number & 0xff)) {
                return Optional.of(channel);
            }
        }
        return Optional.empty();
    }

    /// A message for this channel.
    public byte[] message(byte[] content, int length) {
        var message = new byte[length + 1];
        message[0] = (byte) number;
        System.arraycopy(content, 0, message, 1, length);
        return message;
    }

    public byte[] message(String content) {
        var bytes = content.getBytes(StandardCharsets.UTF_8);
        return message(bytes, bytes.length);
    }

    /// Reads the message of a window's size.
    public static Optional<Size> size(byte[] content) {
        if (JsonReader.read(content) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject size) {
            var columns = size.number("Width");
            var rows = size.number("Height");
            if (columns.isPresent() && rows.isPresent()) {
                return Optional.of(new Size((int) columns.getAsLong(), (int) rows.getAsLong()));
            }
        }
        return Optional.empty();
    }

    /// A result.
    public sealed interface Result {

        record Ended(int exitCode) implements Result {}

        /// It could not be run, or not to its end.
        record Failed(String message) implements Result {}
    }

    /// Reads the message of a result.
    public static Result result(byte[] content) {
        if (!(JsonReader.read(content) instanceof ParseResult.Documents(var documents))
                || !(documents.getFirst().root() instanceof JsonObject status)) {
            return new Result.Failed(new String(content, StandardCharsets.UTF_8));
        }
        if (status.text("status").equals("Success")) {
            return new Result.Ended(0);
        }
        for (var cause : status.objectOrEmpty("details").objects("causes")) {
            if (cause.text("reason").equals("ExitCode")
                    && cause.text("message").matches("[0-9]{1,9}")) {
                return new Result.Ended(Integer.parseInt(cause.text("message")));
            }
        }
        return new Result.Failed(status.text("message"));
    }

    /// What is told of a command that has ended.
    public static String ended(int exitCode) {
        var members = new LinkedHashMap<String, Json>();
        members.put("metadata", JsonObject.EMPTY);
        if (exitCode == 0) {
            members.put("status", Json.of("Success"));
            return JsonWriter.compact(new JsonObject(members));
        }
        members.put("status", Json.of("Failure"));
        members.put(
                "message",
                Json.of(
                        "command terminated with non-zero exit code: exit status %d"
                                .formatted(exitCode)));
        members.put("reason", Json.of("NonZeroExitCode"));
        var cause =
                JsonObject.of("reason", Json.of("ExitCode"))
                        .with("message", Json.of(Integer.toString(exitCode)));
        members.put("details", JsonObject.of("causes", Json.array(List.of(cause))));
        return JsonWriter.compact(new JsonObject(members));
    }

    /// What is told of a command that could not be run.
    public static String failed(String message) {
        var members = new LinkedHashMap<String, Json>();
        members.put("metadata", JsonObject.EMPTY);
        members.put("status", Json.of("Failure"));
        members.put("message", Json.of(message));
        members.put("reason", Json.of("InternalError"));
        members.put("code", Json.of(500));
        return JsonWriter.compact(new JsonObject(members));
    }
}
