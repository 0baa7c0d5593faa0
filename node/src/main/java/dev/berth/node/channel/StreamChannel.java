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

/// Channels of the Kubernetes streaming protocol over one WebSocket: the first byte of a message is
/// the channel number.
public enum StreamChannel {
    INPUT(0),
    OUTPUT(1),
    ERRORS(2),
    /// The result of the command, once.
    RESULT(3),
    /// The size of the terminal window.
    SIZE(4),
    /// Closes the channel whose number follows; from v5 on.
    CLOSE(255);

    /// Subprotocols, newest first. Only v5 can signal the end of input.
    public static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    /// The size of a terminal window.
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

    /// Decodes a window size.
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

    /// Result of a command.
    public sealed interface Result {

        record Exited(int exitCode) implements Result {}

        /// The command could not be run, or not to completion.
        record Failed(String message) implements Result {}
    }

    /// Decodes a result.
    public static Result result(byte[] content) {
        if (!(JsonReader.read(content) instanceof ParseResult.Documents(var documents))
                || !(documents.getFirst().root() instanceof JsonObject status)) {
            return new Result.Failed(new String(content, StandardCharsets.UTF_8));
        }
        if (status.text("status").equals("Success")) {
            return new Result.Exited(0);
        }
        for (var cause : status.objectOrEmpty("details").objects("causes")) {
            if (cause.text("reason").equals("ExitCode")
                    && cause.text("message").matches("[0-9]{1,9}")) {
                return new Result.Exited(Integer.parseInt(cause.text("message")));
            }
        }
        return new Result.Failed(status.text("message"));
    }

    /// The encoded result of a command that has exited.
    public static String exited(int exitCode) {
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

    /// The encoded result of a command that could not be run.
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
