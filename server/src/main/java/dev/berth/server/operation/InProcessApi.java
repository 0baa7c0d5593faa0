package dev.berth.server.operation;

import dev.berth.model.json.JsonObject;
import dev.berth.server.access.User;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.store.StoreException;

/// In-process access to the API: the same operations as over HTTP without a connection. As over
/// HTTP, results contain only durable data.
public final class InProcessApi {

    /// The result of an operation.
    public sealed interface Result {

        /// The operation succeeded.
        ///
        /// @param object in the version of the path
        record Success(JsonObject object) implements Result {}

        record Failure(ApiError error) implements Result {}
    }

    private final ObjectOperations operations;
    private final boolean waitsForDurability;

    public InProcessApi(ObjectOperations operations) {
        this(operations, true);
    }

    private InProcessApi(ObjectOperations operations, boolean waitsForDurability) {
        this.operations = operations;
        this.waitsForDurability = waitsForDurability;
    }

    /// Access for clients that only write to the same server. Results may contain data that is not
    /// durable yet: writes that are based on it cannot become durable before it.
    public InProcessApi withoutDurabilityWait() {
        return new InProcessApi(operations, false);
    }

    public Result send(User user, ObjectOperation operation) {
        try {
            var result = execute(user, operation);
            if (waitsForDurability) {
                // Errors reveal stored state as well.
                var store = operations.registry().store();
                store.awaitDurable(store.revision());
            }
            return result;
        } catch (StoreException e) {
            return new Result.Failure(ApiError.unavailable(String.valueOf(e.getMessage())));
        }
    }

    private Result execute(User user, ObjectOperation operation) {
        try {
            return new Result.Success(operations.execute(user, operation));
        } catch (ApiException e) {
            return new Result.Failure(e.error());
        }
    }
}
