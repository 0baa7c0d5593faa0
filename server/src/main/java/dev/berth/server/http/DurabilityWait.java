package dev.berth.server.http;

import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.store.Store;
import java.util.function.Function;
import java.util.function.Supplier;

/// Delays responses until the data that they are based on is durable.
interface DurabilityWait {

    /// For responses that do not leave the process.
    DurabilityWait NONE = () -> {};

    /// Waits until everything that a response can be based on is durable.
    void await();

    /// For responses that leave the process: clients must never see data that can still be lost.
    static DurabilityWait of(Store store) {
        return () -> store.awaitDurable(store.revision());
    }

    /// Computes a response and waits for durability. This includes errors, since they reveal stored
    /// state as well.
    ///
    /// @param errorResponse the response to a rejected request
    default ServerResponse respond(
            Supplier<ServerResponse> handler, Function<ApiError, ServerResponse> errorResponse) {
        ServerResponse response;
        try {
            response = handler.get();
        } catch (ApiException e) {
            response = errorResponse.apply(e.error());
        }
        try {
            await();
            return response;
        } catch (RuntimeException e) {
            response.release();
            throw e;
        }
    }
}
