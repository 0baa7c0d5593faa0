package dev.berth.server.http;

import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.store.Store;
import java.util.function.Function;
import java.util.function.Supplier;

/// What is waited for before an answer is given.
interface DurabilityWait {

    /// For answers that do not leave the process.
    DurabilityWait NONE = () -> {};

    /// Waits until all that an answer can have been made of is durable.
    void await();

    /// For answers that leave the process: nobody outside may know what can still be lost.
    static DurabilityWait of(Store store) {
        return () -> store.awaitDurable(store.revision());
    }

    /// An answer that may be given. Refusals tell of what there is, too.
    ///
    /// @param refusal the answer to a request that is refused
    default ServerResponse answer(
            Supplier<ServerResponse> answering, Function<ApiError, ServerResponse> refusal) {
        ServerResponse reply;
        try {
            reply = answering.get();
        } catch (ApiException refused) {
            reply = refusal.apply(refused.error());
        }
        try {
            await();
            return reply;
        } catch (RuntimeException e) {
            reply.giveUp();
            throw e;
        }
    }
}
