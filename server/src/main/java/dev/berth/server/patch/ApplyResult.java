package dev.berth.server.patch;

import dev.berth.model.json.JsonObject;
import dev.berth.server.patch.PatchRejection.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Result of a server-side apply.
public sealed interface ApplyResult
        permits ApplyResult.Merged, ApplyResult.Conflicts, PatchRejection {

    /// The merged object, with updated `metadata.managedFields`.
    ///
    /// @param changed false if nothing needs to be written: the object is the live one
    record Merged(JsonObject object, boolean changed) implements ApplyResult {}

    /// A field that another manager owns and that the configuration would change.
    ///
    /// @param manager display form: `"kubectl" using v1`
    record Conflict(String manager, String field) {}

    /// The configuration would change fields of other managers, and force is not set.
    record Conflicts(List<Conflict> all) implements ApplyResult {

        public Conflicts {
            all = List.copyOf(all);
        }

        public PatchRejection rejected() {
            var causes =
                    all.stream()
                            .map(conflict ->
                                    new Cause(
                                            "FieldManagerConflict",
                                            "conflict with " + conflict.manager,
                                            conflict.field))
                            .toList();
            return new PatchRejection(409, "Conflict", message(), causes, message());
        }

        private String message() {
            if (all.size() == 1) {
                var only = all.getFirst();
                return "Apply failed with 1 conflict: conflict with %s: %s"
                        .formatted(only.manager, only.field);
            }
            var fields = new TreeMap<String, List<String>>();
            for (var conflict : all) {
                fields.computeIfAbsent(conflict.manager, _ -> new ArrayList<>())
                        .add(conflict.field);
            }
            var lines = new ArrayList<String>();
            fields.forEach((manager, names) -> {
                lines.add("conflicts with %s:".formatted(manager));
                names.forEach(name -> lines.add("- " + name));
            });
            return "Apply failed with %d conflicts: %s"
                    .formatted(all.size(), String.join("\n", lines));
        }
    }
}
