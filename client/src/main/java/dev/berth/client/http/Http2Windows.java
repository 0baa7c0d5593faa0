package dev.berth.client.http;

/// Flow control of HTTP/2 connections.
///
/// A watch whose reader is slow fills the window of its stream, and what it holds counts against
/// the window of the connection. The windows are such that all streams of a connection together
/// cannot fill that of the connection, so that no reader blocks the others. Java's defaults (16 MB
/// for a stream, 32 MB for a connection) let two slow readers block everything.
final class Http2Windows {

    static final int STREAM_BYTES = 1 << 20;

    /// For [PooledConnection#MAX_STREAMS] streams, and as many bytes again.
    static final int CONNECTION_BYTES = 2 * PooledConnection.MAX_STREAMS * STREAM_BYTES;

    private Http2Windows() {}

    /// Sets the windows of connections that are opened from now on. Values of the command line have
    /// precedence.
    static void set() {
        setAbsent("jdk.httpclient.windowsize", STREAM_BYTES);
        setAbsent("jdk.httpclient.connectionWindowSize", CONNECTION_BYTES);
        setAbsent("jdk.httpclient.enablepush", 0);
    }

    private static void setAbsent(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }
}
