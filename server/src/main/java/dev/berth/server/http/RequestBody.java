package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.http.limit.MemoryBudget;
import dev.berth.server.http.response.MediaNegotiation;
import dev.berth.server.registry.ApiError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// The body of a request. It is read on first use, which is after the request was authorized.
final class RequestBody implements Supplier<byte[]> {

    private static final int FIRST_BLOCK_BYTES = 16 * 1024;

    /// Minimum rate of a body that takes longer than the progress timeout.
    private static final int MIN_BYTES_PER_SECOND = 1024;

    /// Memory of a parsed body, as a multiple of its text; small bodies are not counted.
    private static final int PARSED_FACTOR = 8;

    /// The same for protobuf, where a list item can take two bytes.
    private static final int DECODED_FACTOR = 32;

    private static final int COUNTED_FROM_BYTES = 64 * 1024;

    private final Request request;
    private final ServerLimits limits;
    private final MemoryBudget.Share memory;
    private byte @Nullable [] bytes;

    RequestBody(Request request, ServerLimits limits, MemoryBudget.Share memory) {
        this.request = request;
        this.limits = limits;
        this.memory = memory;
    }

    /// True when there may be a body that has not been read to its end.
    boolean isUnread() {
        return bytes == null && request.getLength() != 0 && !isBodiless(request);
    }

    /// Bodies of GET and HEAD have no meaning, so they are not read.
    static boolean isBodiless(Request request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    @Override
    public byte[] get() {
        var read = bytes;
        if (read == null) {
            read = isBodiless(request) ? new byte[0] : read();
            bytes = read;
        }
        return read;
    }

    private int factor() {
        var type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return type != null && type.startsWith(MediaNegotiation.Encoding.PROTOBUF.type())
                ? DECODED_FACTOR
                : PARSED_FACTOR;
    }

    private byte[] read() {
        if (request.getLength() > limits.bodyBytes()) {
            throw tooLarge();
        }
        try (var stream = Content.Source.asInputStream(request)) {
            var read = read(stream);
            if (read.length > COUNTED_FROM_BYTES) {
                memory.growTo((long) read.length * factor());
            }
            return read;
        } catch (IOException e) {
            if (isTimeout(e)) {
                throw tooSlow();
            }
            throw new UncheckedIOException(e);
        }
    }

    private byte[] read(InputStream stream) throws IOException {
        var begin = System.nanoTime();
        var buffer = new byte[firstBlock()];
        var size = 0;
        for (var length = stream.read(buffer, 0, buffer.length);
                length >= 0;
                length = stream.read(buffer, size, buffer.length - size)) {
            size += length;
            if (size > limits.bodyBytes()) {
                throw tooLarge();
            }
            if (isTooSlow(size, Duration.ofNanos(System.nanoTime() - begin))) {
                throw tooSlow();
            }
            if (size == buffer.length) {
                var larger = Math.min(2 * size, limits.bodyBytes() + 1);
                memory.growTo(larger);
                buffer = Arrays.copyOf(buffer, larger);
            }
        }
        return size == buffer.length ? buffer : Arrays.copyOf(buffer, size);
    }

    /// One byte more than the content length, so that the end is detected without growing the
    /// buffer.
    private int firstBlock() {
        var announced = request.getLength();
        return announced < 0 ? FIRST_BLOCK_BYTES : (int) Math.min(FIRST_BLOCK_BYTES, announced + 1);
    }

    private boolean isTooSlow(int size, Duration taken) {
        var over = taken.minus(limits.timeouts().progress());
        return over.isPositive() && size < over.toSeconds() * MIN_BYTES_PER_SECOND;
    }

    private static boolean isTimeout(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return true;
            }
        }
        return false;
    }

    private RuntimeException tooSlow() {
        return new ApiError(
                        408,
                        "Timeout",
                        "the body arrives too slowly: send it within %d s"
                                .formatted(limits.timeouts().progress().toSeconds()),
                        JsonObject.EMPTY)
                .exception();
    }

    private RuntimeException tooLarge() {
        return ApiError.tooLarge(
                        "the body is larger than the limit of %d bytes"
                                .formatted(limits.bodyBytes()))
                .exception();
    }
}
