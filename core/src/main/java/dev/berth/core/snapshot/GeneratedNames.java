package dev.berth.core.snapshot;

import dev.berth.model.api.pod.Pod;

/// Generated names of objects that controllers create for a pod. The suffix is random in
/// Kubernetes; here it is a hash of the pod, so that plans are reproducible.
public final class GeneratedNames {

    /// The prefix is truncated so that prefix and suffix fit into a label.
    private static final int MAX_BASE = 58;

    private static final int SUFFIX_LENGTH = 5;
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private GeneratedNames() {}

    /// A name with a prefix for a part of a pod.
    public static String of(String prefix, Pod pod, String part) {
        var base = prefix.substring(0, Math.min(prefix.length(), MAX_BASE));
        return base + suffix(pod.ref() + "/" + part);
    }

    private static String suffix(String seed) {
        var number = Integer.toUnsignedLong(seed.hashCode());
        var text = new StringBuilder();
        for (var i = 0; i < SUFFIX_LENGTH; i++) {
            text.append(SUFFIX_LETTERS.charAt((int) (number % SUFFIX_LETTERS.length())));
            number /= SUFFIX_LETTERS.length();
        }
        return text.toString();
    }
}
