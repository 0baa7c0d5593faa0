package dev.berth.server.operation;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.SchemaValidator;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.store.Store;
import java.util.ArrayList;
import java.util.List;

/// Decodes the objects of writes: checks their kind, schema and size.
record ObjectDecoder(SchemaValidator validator, Store store) {

    /// A decoded object.
    ///
    /// @param object in the internal version
    record Decoded(JsonObject object, List<String> warnings) {}

    /// Result of decoding an object.
    sealed interface Result {
        record Valid(Decoded decoded) implements Result {}

        record Invalid(String message) implements Result {}
    }

    /// Decodes an object in the version of the path.
    Decoded object(ObjectTarget target, ObjectOperation.Write operation) {
        var resource = target.resource();
        var document = operation.document();
        var object = document.object(resource.apiVersion(target.version()), resource.kind());
        var decoded =
                valid(target, check(target, operation.options(), object, document.duplicates()));
        checkSize(target, document, decoded.object());
        return decoded;
    }

    /// Rejects an object that cannot be decoded.
    static Decoded valid(ObjectTarget target, Result result) {
        return switch (result) {
            case Result.Valid(var decoded) -> decoded;
            case Result.Invalid(var message) ->
                    throw invalid(target.resource(), target.version(), message);
        };
    }

    Result check(
            ObjectTarget target,
            WriteOptions options,
            JsonObject object,
            List<FieldPath> duplicates) {
        var result = validator.check(target.resource(), target.version(), object);
        if (!result.errors().isEmpty()) {
            return new Result.Invalid(String.join(", ", result.errors()));
        }
        var warnings = new ArrayList<>(result.warnings());
        duplicates.forEach(path -> warnings.add("duplicate field \"%s\"".formatted(path)));
        return switch (options.fieldValidation()) {
            case IGNORE -> new Result.Valid(new Decoded(result.object(), List.of()));
            case WARN -> new Result.Valid(new Decoded(result.object(), warnings));
            case STRICT ->
                    warnings.isEmpty()
                            ? new Result.Valid(new Decoded(result.object(), List.of()))
                            : new Result.Invalid(
                                    "strict decoding error: " + String.join(", ", warnings));
        };
    }

    private static RuntimeException invalid(Resource resource, String version, String message) {
        return ApiError.badRequest(
                        "%s in version \"%s\" cannot be handled as a %s: %s"
                                .formatted(resource.kind(), version, resource.kind(), message))
                .exception();
    }

    /// Rejects an object that is too large to be stored.
    void checkSize(ObjectTarget target, RequestDocument document, JsonObject object) {
        if (document.mayBeTooLarge()) {
            StoredSize.checkSent(target.resource(), object, () -> storedBytes(target));
        }
    }

    /// The size of the stored object; 0 when it does not exist.
    private int storedBytes(ObjectTarget target) {
        return store.get(target.key()).map(entry -> entry.bytes().length).orElse(0);
    }
}
