package dev.berth.core.admission;

import dev.berth.core.cel.CelCompiler;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// The rules for the spec of a device class, which may change at any time.
final class DeviceClasses {

    static final int MAX_CONFIGS = 32;
    private static final FieldPath PATH = FieldPath.of("spec");

    private DeviceClasses() {}

    static void check(
            CelCompiler compiler,
            Optional<JsonObject> oldClass,
            JsonObject deviceClass,
            Problems problems) {
        var spec = deviceClass.objectOrEmpty("spec");
        var old = oldClass.map(before -> before.objectOrEmpty("spec"));
        // Any change in the list, be it of the order, makes all of it new.
        new Expressions(compiler)
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
                Problems.Cover.SIZE,
                (config, at) -> Configurations.check(config, at, configStored, problems));
        spec.string("extendedResourceName")
                .filter(name -> !Formats.extendedResourceName(name).isEmpty())
                .ifPresent(name ->
                        problems.covered(
                                Problem.invalid(
                                        PATH.child("extendedResourceName"),
                                        name,
                                        "must be a valid extended resource name")));
    }

    private static boolean isStored(String name, Optional<JsonObject> old, JsonObject spec) {
        return old.isPresent() && Semantics.sameMember(name, old.get(), spec);
    }
}
