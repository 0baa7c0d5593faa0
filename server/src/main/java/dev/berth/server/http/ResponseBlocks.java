package dev.berth.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Sends what is written to it in blocks. Writing waits until the client has room for the block
/// before, so no more than one block is in memory.
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

    /// Sends the block as it is.
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

    /// Sends the rest, and ends the answer.
    void last(Callback callback) {
        response.write(true, ByteBuffer.wrap(block, 0, length), callback);
    }
}
