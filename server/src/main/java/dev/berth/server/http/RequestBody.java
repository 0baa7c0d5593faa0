package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
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

/// The body of a request. It is read when it is needed first, which is after the request has been
/// authorized.
final class RequestBody implements Supplier<byte[]> {

    private static final int FIRST_BLOCK_BYTES = 16 * 1024;

    /// A body that takes longer than the time for progress must come at this rate at least.
    private static final int LEAST_BYTES_PER_SECOND = 1024;

    /// Memory that a body takes when it is parsed, as a multiple of its text; small ones do not
    /// count.
    private static final int PARSED_FACTOR = 8;

    /// The same for protobuf, in which an item of a list can have two bytes.
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

    /// True when a body may be there and has not been read to its end.
    boolean isUnread() {
        return bytes == null && request.getLength() != 0 && !isBodiless(request);
    }

    /// Bodies of reads have no meaning, so they are not looked at.
    static boolean isBodiless(Request request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    @Override
    public byte[] get() {
        var known = bytes;
        if (known == null) {
            known = isBodiless(request) ? new byte[0] : read();
            bytes = known;
        }
        return known;
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

    /// One byte more than is announced, so that the end is seen without growing.
    private int firstBlock() {
        var announced = request.getLength();
        return announced < 0 ? FIRST_BLOCK_BYTES : (int) Math.min(FIRST_BLOCK_BYTES, announced + 1);
    }

    private boolean isTooSlow(int size, Duration taken) {
        var over = taken.minus(limits.timeouts().progress());
        return over.isPositive() && size < over.toSeconds() * LEAST_BYTES_PER_SECOND;
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
