package dev.berth.server.http;

/// Bounds of what clients may use of a server. [PriorityLevel] says how seats and watches are
/// divided among clients.
///
/// @param seats requests that are served at once, from the header to the last byte of the answer
/// @param watches watches, logs and commands that are open at once
/// @param queueLength requests of one user that wait for a seat
/// @param bodyBytes the largest body of a request
/// @param headerBytes the largest header of a request
/// @param memoryBytes bodies and answers that are in memory at once
public record ServerLimits(
        int seats,
        int watches,
        int queueLength,
        int bodyBytes,
        int headerBytes,
        long memoryBytes,
        HttpTimeouts timeouts) {

    /// Seats are the sum of the 400 reads and 200 writes that kube-apiserver serves at once.
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

    public ServerLimits withMemoryBytes(long changed) {
        return new ServerLimits(
                seats, watches, queueLength, bodyBytes, headerBytes, changed, timeouts);
    }

    public ServerLimits withTimeouts(HttpTimeouts changed) {
        return new ServerLimits(
                seats, watches, queueLength, bodyBytes, headerBytes, memoryBytes, changed);
    }
}
