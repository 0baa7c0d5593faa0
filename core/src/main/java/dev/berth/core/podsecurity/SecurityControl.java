package dev.berth.core.podsecurity;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A control of the Pod Security Standards with its revisions.
///
/// @param id by which checks are ordered
/// @param level the most permissive one that has the control
/// @param revisions oldest first; each is valid from its release on
/// @param overrides ids of baseline checks that this restricted check replaces
record SecurityControl(
        String id, SecurityLevel level, List<Revision> revisions, List<String> overrides) {

    /// @param sinceMinor of the release 1.minor
    record Revision(int sinceMinor, Function<PodView, Optional<ControlViolation>> function) {}

    SecurityControl {
        revisions = List.copyOf(revisions);
        overrides = List.copyOf(overrides);
    }

    static SecurityControl baseline(
            String id, Function<PodView, Optional<ControlViolation>> function) {
        return new SecurityControl(
                id, SecurityLevel.BASELINE, List.of(new Revision(0, function)), List.of());
    }

    static SecurityControl baseline(String id, List<Revision> revisions) {
        return new SecurityControl(id, SecurityLevel.BASELINE, revisions, List.of());
    }

    static SecurityControl restricted(String id, List<Revision> revisions, String... overrides) {
        return new SecurityControl(id, SecurityLevel.RESTRICTED, revisions, List.of(overrides));
    }

    static Revision since(int minor, Function<PodView, Optional<ControlViolation>> function) {
        return new Revision(minor, function);
    }

    /// Empty when the release did not have the control yet.
    Optional<Function<PodView, Optional<ControlViolation>>> at(int minor) {
        Optional<Function<PodView, Optional<ControlViolation>>> newest = Optional.empty();
        for (var revision : revisions) {
            if (revision.sinceMinor <= minor) {
                newest = Optional.of(revision.function);
            }
        }
        return newest;
    }
}
