package dev.berth.client.http;

/// Flow control windows of HTTP/2 connections.
///
/// A watch with a slow reader fills the window of its stream, and its unread bytes count against
/// the window of the connection. The windows are sized so that all streams together cannot fill
/// that of the connection, so no reader blocks the others. Java's defaults (16 MB for a stream, 32
/// MB for a connection) let two slow readers block everything.
final class Http2Windows {

    static final int STREAM_BYTES = 1 << 20;

    /// Twice the sum of the windows of [PooledConnection#MAX_STREAMS] streams.
    static final int CONNECTION_BYTES = 2 * PooledConnection.MAX_STREAMS * STREAM_BYTES;

    private Http2Windows() {}

    /// Sets the windows of connections opened from now on. System properties of the command line
    /// have precedence.
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
