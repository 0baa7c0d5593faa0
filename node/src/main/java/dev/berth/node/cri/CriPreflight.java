package dev.berth.node.cri;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.node.runtime.RuntimeIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Judges whether a runtime gives containers the devices that CDI names. Some take the names and
/// pass over them, so that a container runs without its devices.
final class CriPreflight {

    /// A device that nobody has.
    static final String CANARY = "berth.dev/canary=absent";

    private static final Pattern VERSION = Pattern.compile("v?([0-9]{1,6})\\.([0-9]{1,6}).*");

    /// What is known of a runtime.
    sealed interface Verdict {

        record Fit() implements Verdict {}

        /// It does not, or would not say so.
        record Unfit(String why) implements Verdict {}

        /// It does not say: only trying tells.
        record Untold() implements Verdict {}
    }

    private record Version(int major, int minor) {
        private boolean isBefore(int otherMajor, int otherMinor) {
            return major < otherMajor || (major == otherMajor && minor < otherMinor);
        }
    }

    private CriPreflight() {}

    /// @param info what the runtime tells of itself when asked for everything
    static Verdict judge(RuntimeIdentity runtime, Map<String, String> info) {
        var version = version(runtime.version());
        if (runtime.name().equals("containerd")
                && version.filter(one -> one.isBefore(1, 7)).isPresent()) {
            return new Verdict.Unfit(
                    ("containerd %s does not know CDI: it would start containers without their"
                                    + " devices. Install containerd 1.7 or newer (Debian 13 has"
                                    + " it), or use the runtime oci, which needs runc and conmon")
                            .formatted(runtime.version()));
        }
        var isEnabled = tree(info.getOrDefault("config", "")).flag("enableCDI");
        if (isEnabled.isEmpty()) {
            return new Verdict.Untold();
        }
        return isEnabled.get()
                ? new Verdict.Fit()
                : new Verdict.Unfit(
                        ("CDI is switched off in containerd %s: it would start containers without"
                                        + " their devices. Set enable_cdi = true in section"
                                        + " [plugins.\"%s\"] of /etc/containerd/config.toml, and"
                                        + " restart containerd")
                                .formatted(runtime.version(), section(version)));
    }

    private static String section(Optional<Version> version) {
        return version.filter(one -> one.isBefore(2, 0)).isPresent()
                ? "io.containerd.grpc.v1.cri"
                : "io.containerd.cri.v1.runtime";
    }

    private static Optional<Version> version(String text) {
        var matcher = VERSION.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new Version(
                                Integer.parseInt(matcher.group(1)),
                                Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    private static JsonObject tree(String text) {
        return JsonReader.read(text) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject tree
                ? tree
                : JsonObject.EMPTY;
    }

    /// What a runtime is told that made a container with a device that nobody has.
    static String dropped(RuntimeIdentity runtime) {
        return ("%s passes over CDI devices: it made a container with %s, which does not exist."
                        + " Switch CDI on in its configuration, or use the runtime oci")
                .formatted(runtime, CANARY);
    }
}
