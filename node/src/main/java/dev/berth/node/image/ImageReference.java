package dev.berth.node.image;

import java.util.Optional;
import java.util.regex.Pattern;

/// Normalized image name, with the defaults of Kubernetes: `busybox` is
/// `docker.io/library/busybox:latest`.
///
/// @param repository with its registry
/// @param tag empty with a digest
/// @param digest such as `sha256:…`; empty with a tag
public record ImageReference(String repository, String tag, String digest) {

    private static final String DEFAULT_REGISTRY = "docker.io";
    private static final String DEFAULT_NAMESPACE = "library/";
    private static final String DEFAULT_TAG = "latest";

    private static final Pattern REGISTRY =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]+)?");
    private static final Pattern PATH =
            Pattern.compile("[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*");
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

    /// Parses a name; empty if it is invalid.
    public static Optional<ImageReference> parse(String text) {
        var at = text.indexOf('@');
        var digest = at < 0 ? "" : text.substring(at + 1);
        var named = at < 0 ? text : text.substring(0, at);
        var colon = named.lastIndexOf(':');
        var hasTag = colon > named.lastIndexOf('/');
        var tag = hasTag ? named.substring(colon + 1) : DEFAULT_TAG;
        var repository = repository(hasTag ? named.substring(0, colon) : named);
        var slash = repository.indexOf('/');
        var isValid =
                REGISTRY.matcher(repository.substring(0, slash)).matches()
                        && PATH.matcher(repository.substring(slash + 1)).matches()
                        && TAG.matcher(tag).matches()
                        && (at < 0 || isDigest(digest));
        return isValid
                ? Optional.of(new ImageReference(repository, at < 0 ? tag : "", digest))
                : Optional.empty();
    }

    static boolean isDigest(String text) {
        return DIGEST.matcher(text).matches();
    }

    /// The first part is a registry if it looks like a host name.
    private static String repository(String named) {
        var slash = named.indexOf('/');
        if (slash < 0) {
            return DEFAULT_REGISTRY + "/" + DEFAULT_NAMESPACE + named;
        }
        var first = named.substring(0, slash);
        var isRegistry = first.contains(".") || first.contains(":") || first.equals("localhost");
        return isRegistry ? named : DEFAULT_REGISTRY + "/" + named;
    }

    @Override
    public String toString() {
        return digest.isEmpty() ? repository + ":" + tag : repository + "@" + digest;
    }
}
