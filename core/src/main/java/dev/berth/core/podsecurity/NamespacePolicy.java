package dev.berth.core.podsecurity;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// The Pod Security policy of a namespace, from the labels `pod-security.kubernetes.io/<mode>` and
/// `pod-security.kubernetes.io/<mode>-version`.
///
/// @param enforce pods that violate it are rejected
/// @param audit violations are logged
/// @param warn violations are returned to the client as warnings
public record NamespacePolicy(VersionedLevel enforce, VersionedLevel audit, VersionedLevel warn) {

    private static final String PREFIX = "pod-security.kubernetes.io/";
    private static final FieldPath LABELS = FieldPath.of("metadata", "labels");

    /// A policy and the errors of the labels that it was read from.
    ///
    /// @param policy valid in any case: `enforce` fails closed, the other modes fail open
    public record Resolved(NamespacePolicy policy, List<FieldError> problems) {
        public Resolved {
            problems = List.copyOf(problems);
        }
    }

    /// The newest definition of a level in all modes.
    public static NamespacePolicy of(SecurityLevel level) {
        var standard = VersionedLevel.latest(level);
        return new NamespacePolicy(standard, standard, standard);
    }

    public boolean allowsEverything() {
        return enforce.level() == SecurityLevel.PRIVILEGED && neitherAuditsNorWarns();
    }

    /// True when violations are neither logged nor returned.
    public boolean neitherAuditsNorWarns() {
        return audit.level() == SecurityLevel.PRIVILEGED
                && warn.level() == SecurityLevel.PRIVILEGED;
    }

    /// The policy of a namespace with these labels.
    ///
    /// @param defaults for labels that are absent
    public static Resolved resolve(JsonObject labels, NamespacePolicy defaults) {
        var problems = new ArrayList<FieldError>();
        var enforce = read(labels, "enforce", defaults.enforce, SecurityLevel.RESTRICTED, problems);
        var audit = read(labels, "audit", defaults.audit, SecurityLevel.PRIVILEGED, problems);
        var warn = read(labels, "warn", defaults.warn, SecurityLevel.PRIVILEGED, problems);
        // With an explicit `enforce` level, clients are warned of workloads whose pods would be
        // rejected.
        if (labels.has(PREFIX + "enforce")
                && !labels.has(PREFIX + "warn")
                && enforce.level().compareTo(warn.level()) > 0) {
            warn = warn.with(enforce.level());
            if (!labels.has(PREFIX + "warn-version")) {
                warn = warn.with(enforce.minor());
            }
        }
        return new Resolved(new NamespacePolicy(enforce, audit, warn), problems);
    }

    private static VersionedLevel read(
            JsonObject labels,
            String mode,
            VersionedLevel standard,
            SecurityLevel otherwise,
            List<FieldError> problems) {
        var read = standard;
        var level = labels.string(PREFIX + mode);
        if (level.isPresent()) {
            var parsed = SecurityLevel.parse(level.get());
            if (parsed.isEmpty()) {
                problems.add(
                        problem(
                                mode,
                                level.get(),
                                "must be one of privileged, baseline, restricted"));
            }
            read = read.with(parsed.orElse(otherwise));
        }
        var version = labels.string(PREFIX + mode + "-version");
        if (version.isPresent()) {
            var parsed = VersionedLevel.parseVersion(version.get());
            if (parsed.isEmpty()) {
                problems.add(
                        problem(
                                mode + "-version",
                                version.get(),
                                "must be \"latest\" or \"v1.x\""));
            }
            read = read.with(parsed.orElse(VersionedLevel.LATEST));
        }
        return read;
    }

    private static FieldError problem(String label, String value, String detail) {
        return FieldError.invalid(LABELS.key(PREFIX + label), value, detail);
    }
}
