package dev.berth.server.kinds;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.server.kinds.custom.CustomSchema;
import dev.berth.server.registry.ApiError;
import java.util.List;
import java.util.Optional;

/// Options of the built-in kinds.
///
/// @param deviceVersions the served versions of resource.k8s.io in any order; the newest is
///   preferred
public record KindOptions(
        FeatureGates gates,
        List<String> deviceVersions,
        TokenSigner tokens,
        PrivilegeCheck escalation,
        CustomSchema.Compiler schemas) {

    /// All versions of resource.k8s.io.
    public static final List<String> ALL_DEVICE_VERSIONS =
            List.of("v1", "v1beta2", "v1beta1", "v1alpha3");

    public KindOptions {
        deviceVersions = List.copyOf(deviceVersions);
    }

    /// Options without token signing, privilege escalation check and schema validation.
    public static KindOptions of(FeatureGates gates) {
        return new KindOptions(
                gates,
                ALL_DEVICE_VERSIONS,
                (_, _, _) -> {
                    throw ApiError.unavailable("this server signs no tokens").exception();
                },
                (_, _, _) -> Optional.empty(),
                _ -> CustomSchema.ANYTHING);
    }

    public KindOptions withDeviceVersions(List<String> versions) {
        return new KindOptions(gates, versions, tokens, escalation, schemas);
    }

    public KindOptions withTokens(TokenSigner issuer) {
        return new KindOptions(gates, deviceVersions, issuer, escalation, schemas);
    }

    public KindOptions withEscalation(PrivilegeCheck check) {
        return new KindOptions(gates, deviceVersions, tokens, check, schemas);
    }

    public KindOptions withSchemas(CustomSchema.Compiler compiler) {
        return new KindOptions(gates, deviceVersions, tokens, escalation, compiler);
    }
}
