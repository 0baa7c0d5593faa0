package dev.berth.app.lint;

import dev.berth.app.manifest.Manifest;
import dev.berth.model.codec.Kinds;
import java.util.Optional;

/// Deprecated API versions.
final class Deprecations {

    private Deprecations() {}

    static Optional<String> of(Manifest manifest) {
        return switch (manifest.apiVersion()) {
            case "resource.k8s.io/v1beta1" -> Optional.of(text(manifest, "1.35", "1.38"));
            case "resource.k8s.io/v1beta2" ->
                    manifest.kind().equals("DeviceTaintRule")
                            ? Optional.empty()
                            : Optional.of(text(manifest, "1.36", "1.39"));
            default -> Optional.empty();
        };
    }

    private static String text(Manifest manifest, String since, String gone) {
        return "%s %s is deprecated in v%s+, unavailable in v%s+; use %s/v1"
                .formatted(
                        manifest.apiVersion(), manifest.kind(), since, gone, Kinds.RESOURCE_GROUP);
    }
}
