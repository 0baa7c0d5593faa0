package dev.berth.app.version;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/// The version that the build wrote into the jar.
///
/// @param number version of the poms
/// @param commit of the checkout; empty when it was not built from one
public record BuildVersion(String number, Optional<String> commit) {

    /// The Kubernetes version whose API and behaviour Berth implements.
    public static final String KUBERNETES = "1.37";

    private static final String RESOURCE = "build.properties";

    public static BuildVersion current() {
        var properties = new Properties();
        try (var in = BuildVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is not in the jar; build it again");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BuildVersion(
                properties.getProperty("version", "unknown"),
                Optional.of(properties.getProperty("commit", ""))
                        .filter(commit -> !commit.isBlank()));
    }

    @Override
    public String toString() {
        var from = commit.map(one -> "commit " + one + ", ").orElse("");
        return "berth %s (%sKubernetes %s)".formatted(number, from, KUBERNETES);
    }
}
