package dev.berth.server.http;

import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Refused;
import dev.berth.server.store.Store;
import java.util.function.Function;
import java.util.function.Supplier;

/// What is waited for before an answer is given.
interface Durability {

    /// For answers that do not leave the process.
    Durability NONE = () -> {};

    /// Waits until all that an answer can have been made of is durable.
    void await();

    /// For answers that leave the process: nobody outside may know what can still be lost.
    static Durability of(Store store) {
        return () -> store.secure(store.revision());
    }

    /// An answer that may be given. Refusals tell of what there is, too.
    ///
    /// @param refusal the answer to a request that is refused
    default Reply answer(Supplier<Reply> answering, Function<Failure, Reply> refusal) {
        Reply reply;
        try {
            reply = answering.get();
        } catch (Refused refused) {
            reply = refusal.apply(refused.failure());
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
