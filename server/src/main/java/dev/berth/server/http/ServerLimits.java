package dev.berth.server.http;

/// Limits on the resources that clients may use. Priority levels divide seats and watches among
/// clients.
///
/// @param seats requests that are served concurrently, from the header to the last byte of the
///   response
/// @param watches watches, logs and exec sessions that are open concurrently
/// @param queueLength requests of one user that wait for a seat
/// @param bodyBytes maximum size of a request body
/// @param headerBytes maximum size of a request header
/// @param memoryBytes memory budget for request and response bodies
public record ServerLimits(
        int seats,
        int watches,
        int queueLength,
        int bodyBytes,
        int headerBytes,
        long memoryBytes,
        HttpTimeouts timeouts) {

    /// Seats are the sum of the 400 reads and 200 writes that kube-apiserver serves concurrently by
    /// default.
    public static final ServerLimits DEFAULT =
            new ServerLimits(
                    600,
                    10_000,
                    50,
                    3 * 1024 * 1024,
                    32 * 1024,
                    Runtime.getRuntime().maxMemory() / 4,
                    HttpTimeouts.DEFAULT);

    public ServerLimits withSeats(int changed) {
        return new ServerLimits(
                changed, watches, queueLength, bodyBytes, headerBytes, memoryBytes, timeouts);
    }

    public ServerLimits withWatches(int changed) {
        return new ServerLimits(
                seats, changed, queueLength, bodyBytes, headerBytes, memoryBytes, timeouts);
    }

    public ServerLimits withQueueLength(int changed) {
        return new ServerLimits(
                seats, watches, changed, bodyBytes, headerBytes, memoryBytes, timeouts);
    }

    public ServerLimits withBodyBytes(int changed) {
        return new ServerLimits(
                seats, watches, queueLength, changed, headerBytes, memoryBytes, timeouts);
    }

    public ServerLimits withHeaderBytes(int changed) {
        return new ServerLimits(
                seats, watches, queueLength, bodyBytes, changed, memoryBytes, timeouts);
    }

    public ServerLimits withTimeouts(HttpTimeouts changed) {
        return new ServerLimits(
                seats, watches, queueLength, bodyBytes, headerBytes, memoryBytes, changed);
    }
}
