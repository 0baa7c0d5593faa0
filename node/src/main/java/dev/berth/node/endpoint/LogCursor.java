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

/// A place in the log of a container that goes from the oldest of its files to the newest, and on
/// to those that come into being by rotation meanwhile.
///
/// Files are opened before they are read and known by their inodes, so that those count that are
/// renamed or deleted in between.
final class LogCursor implements AutoCloseable {

    /// Rotations in a row while files are being opened, before some are left out.
    private static final int MAX_TRIES = 10;

    /// An open file.
    ///
    /// @param key what tells one file of a name from the next
    /// @param floor a number below that which the file has, or will have, when it is rotated
    private record Opened(FileChannel channel, Object key, long floor) {}

    private final LogFiles files;
    private final Deque<Opened> ahead = new ArrayDeque<>();
    private Opened at;

    private LogCursor(LogFiles files, List<Opened> opened, int first) throws IOException {
        this.files = files;
        for (var i = 0; i < first; i++) {
            opened.get(i).channel.close();
        }
        this.at = opened.get(first);
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

    /// Opens the rotated files with higher numbers, and the one that is being written.
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
            // Otherwise the file that was opened as the current one may have been there twice, or
            // one between it and the others may be missing.
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
        return at.channel;
    }

    /// Goes to the next file; false when this is the newest one known.
    boolean next() throws IOException {
        if (ahead.isEmpty()) {
            return false;
        }
        at.channel.close();
        at = ahead.removeFirst();
        return true;
    }

    /// Finds files that are newer than this one. What was written to this one before they were
    /// there is to be read afterwards.
    void lookAhead() throws IOException {
        if (at.channel.size() < at.channel.position()) {
            at.channel.position(0);
        }
        if (!ahead.isEmpty() || isCurrent()) {
            return;
        }
        var number = at.floor;
        for (var file : files.rotated()) {
            if (file.number() > at.floor && isAt(file.path())) {
                number = file.number();
            }
        }
        ahead.addAll(openAfter(files, number));
    }

    /// True also when no new file is there yet in the place of a renamed one.
    private boolean isCurrent() throws IOException {
        return !Files.exists(files.current()) || isAt(files.current());
    }

    private boolean isAt(Path path) throws IOException {
        try {
            return key(path).equals(at.key);
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
        at.channel.close();
        for (var one : ahead) {
            one.channel.close();
        }
    }
}
