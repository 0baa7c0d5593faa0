package dev.berth.node.runtime;

import java.io.InputStream;
import java.io.OutputStream;

/// A command in a container, while somebody talks with it. Closing it ends the command.
public interface CommandSession extends AutoCloseable {

    /// What the command reads; closing it tells the command that there is no more.
    OutputStream input();

    InputStream output();

    /// Empty when it has a terminal, which has one stream for both.
    InputStream errors();

    /// Tells the size of the window; does nothing without a terminal.
    void resize(int columns, int rows);

    /// Waits for the end.
    int exitCode() throws InterruptedException;

    @Override
    void close();
}
