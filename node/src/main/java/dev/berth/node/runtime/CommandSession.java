package dev.berth.node.runtime;

import java.io.InputStream;
import java.io.OutputStream;

/// An interactive command in a container. Closing it kills the command.
public interface CommandSession extends AutoCloseable {

    /// Standard input of the command; closing it signals the end of input.
    OutputStream input();

    InputStream output();

    /// Standard error; empty with a terminal, which merges both streams.
    InputStream errors();

    /// Sets the window size; no effect without a terminal.
    void resize(int columns, int rows);

    /// Waits for the exit of the command.
    int exitCode() throws InterruptedException;

    @Override
    void close();
}
