package dev.berth.server.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Recorded file operations of a process, and the possible disk contents when the power fails after
/// some of them. Anything not synced may be lost: each page of each write, each change of a length,
/// and the last changes of the directory.
final class FileRecording {

    private static final int PAGE_BYTES = 4_096;

    private final Path directory;
    private final List<Operation> operations;

    private FileRecording(Path directory, List<Operation> operations) {
        this.directory = directory;
        this.operations = operations;
    }

    /// One record of `record-io.c`.
    ///
    /// @param file the number of the operation that created the file, which may be renamed later;
    ///   -1 for the directory
    private record Operation(
            char type, int number, String path, long offset, ByteBuffer data, int file) {

        boolean isOfDirectory() {
            return type == 'c' || type == 'u' || type == 'r';
        }

        String text() {
            return UTF_8.decode(data.duplicate()).toString();
        }
    }

    static FileRecording read(Path log, Path directory) throws IOException {
        var bytes = ByteBuffer.wrap(Files.readAllBytes(log)).order(ByteOrder.nativeOrder());
        var operations = new ArrayList<Operation>();
        var files = new HashMap<String, Integer>();
        while (bytes.hasRemaining()) {
            var type = (char) bytes.get();
            var number = bytes.getInt();
            var pathBytes = new byte[bytes.getInt()];
            var offset = bytes.getLong();
            var length = bytes.getInt();
            bytes.get(pathBytes);
            var path = new String(pathBytes, UTF_8);
            var data = bytes.slice(bytes.position(), length);
            bytes.position(bytes.position() + length);
            if (type == 'c') {
                files.put(path, operations.size());
            }
            var file = files.getOrDefault(path, -1);
            var operation = new Operation(type, number, path, offset, data, file);
            operations.add(operation);
            if (type == 'u' || type == 'r') {
                files.remove(path);
            }
            if (type == 'r') {
                files.put(operation.text(), file);
            }
        }
        return new FileRecording(directory, operations);
    }

    int size() {
        return operations.size();
    }

    /// The text of a file after a number of operations, synced or not.
    String textOf(String name, int after) {
        var path = directory.resolve(name).toString();
        var text = new StringBuilder();
        for (var operation : operations.subList(0, after)) {
            if (operation.type == 'w' && operation.path.equals(path)) {
                text.append(operation.text());
            }
        }
        return text.toString();
    }

    /// Writes the files as they may be when the power fails after a number of operations.
    ///
    /// @param kept the share of unsynced operations that is not lost
    void powerFailure(int after, double kept, Random random, Path target) throws IOException {
        var durable = durable(after);
        var contents = new HashMap<Integer, Content>();
        var names = new HashMap<String, Integer>();
        var lastOfDirectory = lastOfDirectory(after, durable, kept, random);
        for (var i = 0; i < after; i++) {
            var operation = operations.get(i);
            var content = contents.computeIfAbsent(operation.file, _ -> new Content());
            if (operation.type == 'w') {
                content.write(operation, durable.get(i), kept, random);
            } else if (operation.type == 't' && (durable.get(i) || random.nextDouble() < kept)) {
                content.truncate((int) operation.offset);
            } else if (operation.isOfDirectory() && i <= lastOfDirectory) {
                change(names, operation);
            }
        }
        for (var name : names.entrySet()) {
            var file = directory.relativize(Path.of(name.getKey())).toString();
            var content = contents.getOrDefault(name.getValue(), new Content());
            Files.write(target.resolve(file), content.bytes);
        }
    }

    private static void change(Map<String, Integer> names, Operation operation) {
        if (operation.type != 'c') {
            names.remove(operation.path);
        }
        if (operation.type != 'u') {
            names.put(operation.type == 'r' ? operation.text() : operation.path, operation.file);
        }
    }

    /// The operations that cannot be lost.
    private BitSet durable(int after) {
        var durable = new BitSet();
        var begun = new HashMap<Integer, Integer>();
        for (var i = 0; i < after; i++) {
            var operation = operations.get(i);
            if (operation.type == 's') {
                begun.put(operation.number, i);
            } else if (operation.type == 'e') {
                for (var j = 0; j < begun.getOrDefault(operation.number, 0); j++) {
                    var earlier = operations.get(j);
                    var isCovered =
                            operation.file < 0
                                    ? earlier.isOfDirectory()
                                    : !earlier.isOfDirectory() && earlier.file == operation.file;
                    if (isCovered) {
                        durable.set(j);
                    }
                }
            }
        }
        return durable;
    }

    /// Changes of the directory reach the disk in order.
    private int lastOfDirectory(int after, BitSet durable, double kept, Random random) {
        var last = -1;
        for (var i = 0; i < after; i++) {
            if (durable.get(i) && operations.get(i).isOfDirectory()) {
                last = i;
            }
        }
        return random.nextDouble() < kept ? last + random.nextInt(after - last) : last;
    }

    /// Content of a file on disk.
    private static final class Content {
        private byte[] bytes = new byte[0];

        void truncate(int length) {
            bytes = Arrays.copyOf(bytes, length);
        }

        void write(Operation operation, boolean isDurable, double kept, Random random) {
            var from = (int) operation.offset;
            var end = from + operation.data.limit();
            for (var at = from; at < end; ) {
                var next = Math.min(end, at - at % PAGE_BYTES + PAGE_BYTES);
                if (isDurable || random.nextDouble() < kept) {
                    if (bytes.length < next) {
                        bytes = Arrays.copyOf(bytes, next);
                    }
                    operation.data.get(at - from, bytes, at, next - at);
                }
                at = next;
            }
        }
    }
}
