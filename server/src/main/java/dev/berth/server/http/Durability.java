package dev.berth.server.http;

import dev.berth.server.registry.Refused;
import dev.berth.server.store.Store;
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
    default Reply answer(Supplier<Reply> answering) {
        Reply reply;
        try {
            reply = answering.get();
        } catch (Refused refused) {
            reply = Reply.failure(refused.failure());
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
