package dev.berth.node.cri;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.node.runtime.RuntimeIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Checks whether a runtime injects CDI devices. Some runtimes accept the names and ignore them, so
/// that a container runs without its devices.
final class CriPreflight {

    /// A device that does not exist.
    static final String CANARY = "berth.dev/canary=absent";

    private static final Pattern VERSION = Pattern.compile("v?([0-9]{1,6})\\.([0-9]{1,6}).*");

    /// Result of the check.
    sealed interface CdiSupport {

        record Supported() implements CdiSupport {}

        /// The runtime ignores CDI devices, or may ignore them.
        record Unsupported(String reason) implements CdiSupport {}

        /// The runtime does not report it; only a test container shows it.
        record Unknown() implements CdiSupport {}
    }

    private record Version(int major, int minor) {
        private boolean isBefore(int otherMajor, int otherMinor) {
            return major < otherMajor || (major == otherMajor && minor < otherMinor);
        }
    }

    private CriPreflight() {}

    /// @param info verbose status of the runtime
    static CdiSupport check(RuntimeIdentity runtime, Map<String, String> info) {
        var version = version(runtime.version());
        if (runtime.name().equals("containerd")
                && version.filter(one -> one.isBefore(1, 7)).isPresent()) {
            return new CdiSupport.Unsupported(
                    ("containerd %s does not support CDI: it would start containers without their"
                                    + " devices. Install containerd 1.7 or newer (Debian 13 has"
                                    + " it), or use the runtime oci, which needs runc and conmon")
                            .formatted(runtime.version()));
        }
        var isEnabled = tree(info.getOrDefault("config", "")).flag("enableCDI");
        if (isEnabled.isEmpty()) {
            return new CdiSupport.Unknown();
        }
        return isEnabled.get()
                ? new CdiSupport.Supported()
                : new CdiSupport.Unsupported(
                        ("CDI is disabled in containerd %s: it would start containers without"
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

    /// Error for a runtime that created a container with a device that does not exist.
    static String ignoredDevices(RuntimeIdentity runtime) {
        return ("%s ignores CDI devices: it created a container with %s, which does not exist."
                        + " Enable CDI in its configuration, or use the runtime oci")
                .formatted(runtime, CANARY);
    }
}
