package dev.berth.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Buffers written bytes and sends them in blocks. A write waits until the client has accepted the
/// previous block, so at most one block is in memory.
final class ResponseBlocks extends OutputStream {

    private static final int BLOCK_BYTES = 64 * 1024;

    private final Response response;
    private final byte[] block = new byte[BLOCK_BYTES];
    private int length;

    ResponseBlocks(Response response) {
        this.response = response;
    }

    @Override
    public void write(int one) throws IOException {
        if (length == BLOCK_BYTES) {
            flush();
        }
        block[length++] = (byte) one;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (count > BLOCK_BYTES - length) {
            flush();
        }
        if (count >= BLOCK_BYTES) {
            send(ByteBuffer.wrap(bytes, offset, count));
        } else {
            System.arraycopy(bytes, offset, block, length, count);
            length += count;
        }
    }

    /// Sends the current block.
    @Override
    public void flush() throws IOException {
        if (length > 0) {
            send(ByteBuffer.wrap(block, 0, length));
            length = 0;
        }
    }

    private void send(ByteBuffer bytes) throws IOException {
        Content.Sink.write(response, false, bytes);
    }

    /// Sends the rest and ends the response.
    void last(Callback callback) {
        response.write(true, ByteBuffer.wrap(block, 0, length), callback);
    }
}
