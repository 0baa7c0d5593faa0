package dev.berth.server.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;

/// A file channel with injected write and sync errors.
final class FaultyChannel extends FileChannel {

    private static final int PAGE_BYTES = 4_096;

    private final FileChannel channel;
    private final Faults faults;

    FaultyChannel(FileChannel channel, Faults faults) {
        this.channel = channel;
        this.faults = faults;
    }

    /// The injected errors, with the message of the operating system.
    static final class Faults {
        private volatile Optional<String> write = Optional.empty();
        private volatile Optional<String> sync = Optional.empty();
        private volatile Optional<Error> error = Optional.empty();

        void failWrites(String message) {
            write = Optional.of(message);
        }

        /// Makes writes throw a VirtualMachineError.
        void failWrites(Error failure) {
            error = Optional.of(failure);
        }

        void failSyncs(String message) {
            sync = Optional.of(message);
        }

        void end() {
            write = Optional.empty();
            sync = Optional.empty();
            error = Optional.empty();
        }

        WriteAheadLog.Opener opener() {
            return file -> new FaultyChannel(WriteAheadLog.Opener.DEFAULT.open(file), this);
        }

        private static void fail(Optional<String> fault) throws IOException {
            if (fault.isPresent()) {
                throw new IOException(fault.get());
            }
        }
    }

    /// Writes one page before the error if there are more, as on a disk that runs full.
    @Override
    public int write(ByteBuffer bytes, long position) throws IOException {
        faults.error.ifPresent(error -> {
            throw error;
        });
        if (faults.write.isPresent() && bytes.remaining() > PAGE_BYTES) {
            channel.write(bytes.slice(bytes.position(), PAGE_BYTES), position);
        }
        Faults.fail(faults.write);
        return channel.write(bytes, position);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        Faults.fail(faults.sync);
        channel.force(metaData);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        channel.close();
    }

    @Override
    public int read(ByteBuffer bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] bytes, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] bytes, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer bytes, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
