package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.cel.CelCompiler;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// Validates the spec of a device class, which is mutable.
final class DeviceClassValidation {

    static final int MAX_CONFIGS = 32;
    private static final FieldPath PATH = FieldPath.of("spec");

    private DeviceClassValidation() {}

    static void check(
            CelCompiler compiler,
            Optional<JsonObject> oldClass,
            JsonObject deviceClass,
            FieldErrors problems) {
        var spec = deviceClass.objectOrEmpty("spec");
        var old = oldClass.map(before -> before.objectOrEmpty("spec"));
        // Any change in the list, even of the order, counts all selectors as new.
        new CelValidation(compiler)
                .selectors(
                        spec.objects("selectors"),
                        PATH.child("selectors"),
                        isStored("selectors", old, spec),
                        problems);
        var configStored = isStored("config", old, spec);
        problems.list(
                spec.objects("config"),
                MAX_CONFIGS,
                PATH.child("config"),
                FieldErrors.Cover.SIZE,
                (config, at) -> OpaqueConfigValidation.check(config, at, configStored, problems));
        spec.string("extendedResourceName")
                .filter(name -> !NameFormats.extendedResourceName(name).isEmpty())
                .ifPresent(name ->
                        problems.covered(
                                FieldError.invalid(
                                        PATH.child("extendedResourceName"),
                                        name,
                                        "must be a valid extended resource name")));
    }

    private static boolean isStored(String name, Optional<JsonObject> old, JsonObject spec) {
        return old.isPresent() && SemanticEquality.sameMember(name, old.get(), spec);
    }
}
