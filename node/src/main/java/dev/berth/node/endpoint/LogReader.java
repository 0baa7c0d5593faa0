package dev.berth.node.endpoint;

import dev.berth.node.logs.LogFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;

/// Reads the log files of a container, and goes on reading while it runs.
final class LogReader {

    /// How soon after it was printed a line is seen by those who follow.
    private static final Duration PAUSE = Duration.ofMillis(100);

    /// So many pauses without news are worth a question whether the container still runs.
    private static final int PAUSES_PER_QUESTION = 5;

    private static final int BLOCK_BYTES = 64 * 1024;

    /// Longer lines of the file are cut; runtimes write them in parts of 16 KiB.
    private static final int LONGEST_LINE_BYTES = 1024 * 1024;

    /// Where the text goes.
    interface Sink {
        void write(byte[] bytes) throws IOException;
    }

    /// Whether the container that writes the log goes on.
    interface Writing {
        boolean goesOn();
    }

    private final Path path;
    private final LogQuery query;
    private final Sink sink;
    private final LogText text;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

    LogReader(Path path, LogQuery query, Sink sink) {
        this.path = path;
        this.query = query;
        this.sink = sink;
        this.text = new LogText(query);
    }

    void read(Writing writing) throws IOException, InterruptedException {
        try (var cursor = LogCursor.open(new LogFiles(path), query.tailLines())) {
            var goesOn = query.isFollowed();
            copyAll(cursor);
            for (var pauses = 1; goesOn && !text.isFull(); pauses++) {
                if (pauses % PAUSES_PER_QUESTION == 0) {
                    goesOn = writing.goesOn();
                } else {
                    Thread.sleep(PAUSE);
                }
                cursor.lookAhead();
                copyAll(cursor);
            }
        }
    }

    /// Copies the rest of this file, and all newer ones.
    private void copyAll(LogCursor cursor) throws IOException {
        copy(cursor.file());
        while (cursor.next()) {
            copy(cursor.file());
        }
    }

    /// Copies all that is there.
    private void copy(FileChannel file) throws IOException {
        var block = ByteBuffer.allocate(BLOCK_BYTES);
        while (!text.isFull() && file.read(block.clear()) >= 0) {
            block.flip();
            while (block.hasRemaining() && !text.isFull()) {
                take(block.get());
            }
            send();
        }
    }

    private void take(byte next) {
        if (next == '\n') {
            seen.writeBytes(text.of(line.toByteArray()));
            line.reset();
        } else if (line.size() < LONGEST_LINE_BYTES) {
            line.write(next);
        }
    }

    private void send() throws IOException {
        if (seen.size() > 0) {
            sink.write(seen.toByteArray());
            seen.reset();
        }
    }
}
