package dev.berth.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Detects that the client of a long-running response closed its connection or reset its stream,
/// even while nothing is sent.
///
/// For HTTP/2 the HTTP library detects this. An HTTP/1.1 connection is not read while a request is
/// served, so it is read here, and serves no further requests.
final class Disconnection implements Callback {

    private static final int BUFFER_BYTES = 64;

    private final EndPoint endPoint;
    private final Runnable action;

    private Disconnection(EndPoint endPoint, Runnable action) {
        this.endPoint = endPoint;
        this.action = action;
    }

    /// Runs the action when the client disconnects. Call this before the header is sent.
    static void listen(Request request, Response response, Runnable action) {
        request.addFailureListener(_ -> action.run());
        var connection = request.getConnectionMetaData();
        var version = connection.getHttpVersion();
        if (version == HttpVersion.HTTP_1_1) {
            // Chunked nevertheless, so that clients can distinguish the end from a failure.
            response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
        }
        if (version.getVersion() < HttpVersion.HTTP_2.getVersion()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
            var endPoint = connection.getConnection().getEndPoint();
            endPoint.tryFillInterested(new Disconnection(endPoint, action));
        }
    }

    @Override
    public void succeeded() {
        try {
            if (endPoint.fill(ByteBuffer.allocate(BUFFER_BYTES).limit(0)) == 0) {
                endPoint.tryFillInterested(this);
                return;
            }
        } catch (IOException _) {
            // Disconnected as well.
        }
        // Either end of stream, or unexpected bytes in the middle of a response.
        action.run();
    }

    @Override
    public void failed(Throwable cause) {
        action.run();
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
