package dev.berth.node.endpoint;

import dev.berth.node.logs.LogFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;

/// Reads the log files of a container, and follows them while it runs.
final class LogReader {

    /// Poll interval of followed logs.
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /// Every so many polls check whether the container still runs.
    private static final int POLLS_PER_CHECK = 5;

    private static final int BLOCK_BYTES = 64 * 1024;

    /// Longer lines of the file are truncated; runtimes write parts of 16 KiB.
    private static final int MAX_LINE_BYTES = 1024 * 1024;

    /// Receives the text.
    interface Sink {
        void write(byte[] bytes) throws IOException;
    }

    /// True while the container that writes the log runs.
    interface ContainerCheck {
        boolean isWriting();
    }

    private final Path path;
    private final LogQuery query;
    private final Sink sink;
    private final LogText text;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    LogReader(Path path, LogQuery query, Sink sink) {
        this.path = path;
        this.query = query;
        this.sink = sink;
        this.text = new LogText(query);
    }

    void read(ContainerCheck check) throws IOException, InterruptedException {
        try (var cursor = LogCursor.open(new LogFiles(path), query.tailLines())) {
            var isWriting = query.isFollowed();
            copyAll(cursor);
            for (var polls = 1; isWriting && !text.isFull(); polls++) {
                if (polls % POLLS_PER_CHECK == 0) {
                    isWriting = check.isWriting();
                } else {
                    Thread.sleep(POLL_INTERVAL);
                }
                cursor.findNewer();
                copyAll(cursor);
            }
        }
    }

    /// Copies the rest of this file and all newer ones.
    private void copyAll(LogCursor cursor) throws IOException {
        copy(cursor.file());
        while (cursor.next()) {
            copy(cursor.file());
        }
    }

    /// Copies the rest of a file.
    private void copy(FileChannel file) throws IOException {
        var block = ByteBuffer.allocate(BLOCK_BYTES);
        while (!text.isFull() && file.read(block.clear()) >= 0) {
            block.flip();
            while (block.hasRemaining() && !text.isFull()) {
                append(block.get());
            }
            send();
        }
    }

    private void append(byte next) {
        if (next == '\n') {
            output.writeBytes(text.of(line.toByteArray()));
            line.reset();
        } else if (line.size() < MAX_LINE_BYTES) {
            line.write(next);
        }
    }

    private void send() throws IOException {
        if (output.size() > 0) {
            sink.write(output.toByteArray());
            output.reset();
        }
    }
}
