package dev.berth.core.podsecurity;

import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Evaluates pods against the Pod Security Standards of Kubernetes 1.37.
public final class PodSecurity {

    private PodSecurity() {}

    /// Controls that a pod violates, those of baseline first, each group by id.
    ///
    /// @param pod a pod, or a template with `metadata` and `spec`
    public static List<ControlViolation> violations(VersionedLevel standard, JsonObject pod) {
        if (standard.level() == SecurityLevel.PRIVILEGED) {
            return List.of();
        }
        var view = new PodView(pod);
        var restricted = standard.level() == SecurityLevel.RESTRICTED;
        var overridden = restricted ? overridden(standard) : Set.<String>of();
        var violations = new ArrayList<ControlViolation>();
        for (var check : BaselineChecks.ALL) {
            if (!overridden.contains(check.id())) {
                check.at(standard.minor())
                        .flatMap(function -> function.apply(view))
                        .ifPresent(violations::add);
            }
        }
        if (restricted) {
            for (var check : RestrictedChecks.ALL) {
                check.at(standard.minor())
                        .flatMap(function -> function.apply(view))
                        .ifPresent(violations::add);
            }
        }
        return List.copyOf(violations);
    }

    private static Set<String> overridden(VersionedLevel standard) {
        var ids = new HashSet<String>();
        for (var check : RestrictedChecks.ALL) {
            if (check.at(standard.minor()).isPresent()) {
                ids.addAll(check.overrides());
            }
        }
        return ids;
    }
}
