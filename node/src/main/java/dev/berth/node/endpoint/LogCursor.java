package dev.berth.node.endpoint;

import dev.berth.node.logs.LogFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Cursor in the log of a container that moves from the oldest log file to the newest, and on to
/// files that rotation creates meanwhile.
///
/// Files are opened before they are read and identified by inode, so that files that are renamed or
/// deleted meanwhile are still read.
final class LogCursor implements AutoCloseable {

    /// Maximum number of consecutive rotations while files are being opened; then some may be
    /// missed.
    private static final int MAX_TRIES = 10;

    /// An open file.
    ///
    /// @param key identity of the file, by which it is distinguished from others of its name
    /// @param floor a number below the one that the file has, or will have, after rotation
    private record Opened(FileChannel channel, Object key, long floor) {}

    private final LogFiles files;
    private final Deque<Opened> ahead = new ArrayDeque<>();
    private Opened current;

    private LogCursor(LogFiles files, List<Opened> opened, int first) throws IOException {
        this.files = files;
        for (var i = 0; i < first; i++) {
            opened.get(i).channel.close();
        }
        this.current = opened.get(first);
        ahead.addAll(opened.subList(first + 1, opened.size()));
    }

    /// Opens a log.
    ///
    /// @param tailLines how many lines before the end to begin; empty for all
    /// @throws NoSuchFileException when there is none
    static LogCursor open(LogFiles files, OptionalLong tailLines) throws IOException {
        var opened = openAfter(files, 0);
        if (opened.isEmpty()) {
            throw new NoSuchFileException(files.current().toString());
        }
        try {
            if (tailLines.isEmpty()) {
                return new LogCursor(files, opened, 0);
            }
            var channels = opened.stream().map(Opened::channel).toList();
            var start = LogTail.start(channels, tailLines.getAsLong());
            channels.get(start.file()).position(start.position());
            return new LogCursor(files, opened, start.file());
        } catch (IOException e) {
            close(opened);
            throw e;
        }
    }

    /// Opens the rotated files with higher numbers and the current file.
    private static List<Opened> openAfter(LogFiles files, long number) throws IOException {
        for (var tries = 1; ; tries++) {
            var rotated = files.rotated();
            var last = rotated.isEmpty() ? 0 : rotated.getLast().number();
            var opened = new ArrayList<Opened>();
            for (var file : rotated) {
                if (file.number() > number) {
                    open(file.path(), file.number() - 1).ifPresent(opened::add);
                }
            }
            open(files.current(), last).ifPresent(opened::add);
            // Otherwise the file that was opened as the current one may be opened twice, or a file
            // between it and the others may be missing.
            if (files.rotated().equals(rotated) || tries == MAX_TRIES) {
                return opened;
            }
            close(opened);
        }
    }

    private static Optional<Opened> open(Path path, long floor) throws IOException {
        try {
            var key = key(path);
            return Optional.of(
                    new Opened(FileChannel.open(path, StandardOpenOption.READ), key, floor));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    private static Object key(Path path) throws IOException {
        var key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path : key;
    }

    FileChannel file() {
        return current.channel;
    }

    /// Moves to the next file; false if this is the newest one known.
    boolean next() throws IOException {
        if (ahead.isEmpty()) {
            return false;
        }
        current.channel.close();
        current = ahead.removeFirst();
        return true;
    }

    /// Finds files that are newer than this one. What was written to this one before they were
    /// created is to be read afterwards.
    void findNewer() throws IOException {
        if (current.channel.size() < current.channel.position()) {
            current.channel.position(0);
        }
        if (!ahead.isEmpty() || isCurrent()) {
            return;
        }
        var number = current.floor;
        for (var file : files.rotated()) {
            if (file.number() > current.floor && isAt(file.path())) {
                number = file.number();
            }
        }
        ahead.addAll(openAfter(files, number));
    }

    /// True also while a renamed current file has no successor yet.
    private boolean isCurrent() throws IOException {
        return !Files.exists(files.current()) || isAt(files.current());
    }

    private boolean isAt(Path path) throws IOException {
        try {
            return key(path).equals(current.key);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static void close(List<Opened> all) throws IOException {
        for (var one : all) {
            one.channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        current.channel.close();
        for (var one : ahead) {
            one.channel.close();
        }
    }
}
