package dev.berth.app.explain;

import dev.berth.model.text.SimilarNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The object to explain, in the notations of kubectl: `pod/x`, `po/x`, `pods x`,
/// `deployments.apps/x`.
record ExplainTarget(TargetKind kind, String name) {

    /// Kinds that can be explained, with their names and short names.
    enum TargetKind {
        POD("Pod", "pod", "pods", "po"),
        CLAIM("ResourceClaim", "claim", "claims", "resourceclaim", "resourceclaims"),
        DEPLOYMENT("Deployment", "deployment", "deployments", "deploy"),
        JOB("Job", "job", "jobs"),
        STATEFUL_SET("StatefulSet", "statefulset", "statefulsets", "sts"),
        REPLICA_SET("ReplicaSet", "replicaset", "replicasets", "rs"),
        DAEMON_SET("DaemonSet", "daemonset", "daemonsets", "ds"),
        CRON_JOB("CronJob", "cronjob", "cronjobs", "cj");

        private final String kind;
        private final List<String> names;

        TargetKind(String kind, String... names) {
            this.kind = kind;
            this.names = List.of(names);
        }

        /// The kind in the API.
        String kind() {
            return kind;
        }

        boolean isWorkload() {
            return this != POD && this != CLAIM;
        }

        private static Optional<TargetKind> named(String name) {
            return Arrays.stream(values()).filter(one -> one.names.contains(name)).findFirst();
        }
    }

    /// A parsed target, or what is wrong with it.
    sealed interface Parsed {
        record Target(ExplainTarget target) implements Parsed {}

        record Wrong(String message) implements Parsed {}
    }

    /// Parses one word with a slash, or two words.
    static Parsed parse(List<String> words) {
        var given = String.join(" ", words);
        if (words.size() > 1 && words.stream().anyMatch(word -> word.contains("/"))) {
            return new Parsed.Wrong("\"%s\" is more than one object; give one".formatted(given));
        }
        var parts =
                words.size() == 1 ? List.of(words.getFirst().split("/", 2)) : List.copyOf(words);
        if (parts.size() != 2) {
            return new Parsed.Wrong(withoutKind(parts.getFirst()));
        }
        var name = parts.getLast();
        var kind = kind(parts.getFirst());
        if (kind.isEmpty()) {
            return new Parsed.Wrong(
                    "\"%s\" cannot be explained%s".formatted(given, kinds(parts.getFirst())));
        }
        return name.isEmpty()
                ? new Parsed.Wrong(
                        "\"%s\" has no name; write %s/NAME".formatted(given, parts.getFirst()))
                : new Parsed.Target(new ExplainTarget(kind.get(), name));
    }

    private static String withoutKind(String word) {
        return kind(word).isPresent()
                ? "\"%s\" has no name; write %s/NAME".formatted(word, word)
                : "\"%s\" has no kind; write pod/%s, claim/%s or deployment/%s"
                        .formatted(word, word, word, word);
    }

    /// The kind of a resource name, which may have a version and a group.
    private static Optional<TargetKind> kind(String word) {
        var lower = word.toLowerCase(Locale.ROOT);
        var dot = lower.indexOf('.');
        return TargetKind.named(dot < 0 ? lower : lower.substring(0, dot));
    }

    private static String kinds(String wrong) {
        var names = new ArrayList<String>();
        for (var one : TargetKind.values()) {
            names.add(one.names.getFirst());
        }
        return SimilarNames.question(wrong, names)
                .map("; "::concat)
                .orElse("; kinds: " + String.join(", ", names));
    }
}
