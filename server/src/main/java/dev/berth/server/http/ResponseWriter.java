package dev.berth.server.http;

import dev.berth.server.http.limit.Seats;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.http.response.StreamedList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Sends complete responses: headers, compression and body.
final class ResponseWriter {

    /// Smaller responses are not worth compressing.
    private static final int COMPRESSED_FROM_BYTES = 128 * 1024;

    /// Kubernetes' limit for all warnings together, and the limit for each warning when that is
    /// exceeded.
    private static final int WARNING_CHARACTERS = 4 * 1024;

    private static final int CUT_WARNING_CHARACTERS = 256;

    private final Request request;
    private final Response response;

    ResponseWriter(Request request, Response response) {
        this.request = request;
        this.response = response;
    }

    /// Sends a whole response. A streamed list has been sent when this returns.
    void send(ServerResponse.Content content, Callback callback) {
        response.setStatus(content.status());
        headers(content);
        var isHead = request.getMethod().equals("HEAD");
        if (!(content.body() instanceof ServerResponse.Body.Streamed(var list))) {
            var bytes = text(content.bytes());
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
            write(isHead ? new byte[0] : bytes, callback);
        } else if (isHead) {
            write(new byte[0], callback);
        } else {
            stream(list, callback);
        }
    }

    private void write(byte[] bytes, Callback callback) {
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }

    private void headers(ServerResponse.Content content) {
        var headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, content.type());
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        headers.put("Audit-Id", UUID.randomUUID().toString());
        for (var warning : bounded(content.warnings())) {
            headers.add("Warning", "299 - \"%s\"".formatted(quoted(warning)));
        }
        if (content.status() == 429) {
            headers.put(HttpHeader.RETRY_AFTER, Seats.RETRY_AFTER_SECONDS);
        }
        if (content.status() == 401) {
            headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"berth\"");
        }
    }

    private byte[] text(byte[] bytes) {
        if (bytes.length < COMPRESSED_FROM_BYTES || !acceptsGzip()) {
            return bytes;
        }
        compressionHeaders();
        var buffer = new ByteArrayOutputStream(bytes.length / 8);
        try (var stream = new FastGzip(buffer)) {
            stream.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return buffer.toByteArray();
    }

    private void stream(StreamedList list, Callback callback) {
        var blocks = new ResponseBlocks(response);
        try {
            if (acceptsGzip()) {
                compressionHeaders();
                var stream = new FastGzip(blocks);
                try {
                    list.writeTo(stream);
                    stream.finish();
                } finally {
                    stream.end();
                }
            } else {
                list.writeTo(blocks);
            }
        } catch (IOException e) {
            callback.failed(e);
            return;
        }
        blocks.last(callback);
    }

    private void compressionHeaders() {
        response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
        response.getHeaders().add(HttpHeader.VARY, "Accept-Encoding");
    }

    /// As many warnings as fit into the headers; long ones are truncated when the limit is
    /// exceeded.
    private static List<String> bounded(List<String> warnings) {
        var length = warnings.stream().mapToInt(String::length).sum();
        if (length <= WARNING_CHARACTERS) {
            return warnings;
        }
        var bounded = new ArrayList<String>();
        var left = WARNING_CHARACTERS;
        for (var warning : warnings) {
            var cut = warning.substring(0, Math.min(warning.length(), CUT_WARNING_CHARACTERS));
            left -= cut.length();
            if (left < 0) {
                break;
            }
            bounded.add(cut);
        }
        return bounded;
    }

    /// Header values contain only printable ASCII characters and no line breaks.
    private static String quoted(String warning) {
        var text = new StringBuilder();
        for (var i = 0; i < warning.length(); i++) {
            var c = warning.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else {
                text.append(c < ' ' || c > '~' ? ' ' : c);
            }
        }
        return text.toString();
    }

    private boolean acceptsGzip() {
        return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT_ENCODING).contains("gzip");
    }

    /// Gzip at the fastest level: most of the gain for a fraction of the time.
    private static final class FastGzip extends GZIPOutputStream {
        private FastGzip(OutputStream to) throws IOException {
            super(to, 64 * 1024);
            def.setLevel(Deflater.BEST_SPEED);
        }

        /// Frees the memory of the compressor without closing the underlying stream.
        private void end() {
            def.end();
        }
    }
}
