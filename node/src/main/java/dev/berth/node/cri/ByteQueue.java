package dev.berth.node.cri;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/// Bounded in-memory stream from one thread to another. The writer blocks while it is full.
final class ByteQueue extends InputStream {

    private static final int CAPACITY_BYTES = 256 * 1024;

    private final Deque<byte[]> blocks = new ArrayDeque<>();
    private int size;
    private int position;
    private boolean isEnded;

    synchronized void put(byte[] bytes) {
        try {
            while (size >= CAPACITY_BYTES && !isEnded) {
                wait();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isEnded = true;
        }
        if (!isEnded && bytes.length > 0) {
            blocks.add(bytes);
            size += bytes.length;
        }
        notifyAll();
    }

    /// Ends the stream; buffered bytes can still be read.
    synchronized void end() {
        isEnded = true;
        notifyAll();
    }

    @Override
    public int read() throws InterruptedIOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] to, int from, int length) throws InterruptedIOException {
        try {
            while (blocks.isEmpty() && !isEnded) {
                wait();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading the output of a command");
        }
        if (length == 0) {
            return 0;
        }
        var block = blocks.peek();
        if (block == null) {
            return -1;
        }
        var count = Math.min(length, block.length - position);
        System.arraycopy(block, position, to, from, count);
        position += count;
        size -= count;
        if (position == block.length) {
            blocks.remove();
            position = 0;
        }
        notifyAll();
        return count;
    }
}
