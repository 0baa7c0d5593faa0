package dev.berth.node.oci;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The seccomp profile `RuntimeDefault`: allows the system calls in `seccomp.json`, fails all
/// others with EPERM. It allows no more than containerd's default profile.
///
/// A rule of the file allows its system calls if all its conditions hold:
///
/// | | |
/// |---|---|
/// | `args` | the arguments compare as in the OCI runtime specification |
/// | `architecture` | the machine has that architecture |
/// | `kernel` | the machine's kernel has that version or a newer one |
/// | `capabilities` | the container has one of them |
/// | `withoutCapability` | the container does not have it |
///
/// A rule with `errno` does not allow its system calls but fails them with that error.
final class DefaultSeccomp {

    private static final String FILE = "seccomp.json";
    private static final JsonObject RULES = read();

    /// Architecture names of the profile by those of Java.
    private static final Map<String, String> ARCHITECTURES =
            Map.of("amd64", "amd64", "x86_64", "amd64", "aarch64", "arm64");

    private final String architecture;
    private final KernelVersion kernel;

    /// @param architecture Java's `os.arch`
    /// @param kernel Java's `os.version`
    DefaultSeccomp(String architecture, String kernel) {
        this.architecture = ARCHITECTURES.getOrDefault(architecture, architecture);
        this.kernel = KernelVersion.parse(kernel);
    }

    private static JsonObject read() {
        try (var in = DefaultSeccomp.class.getResourceAsStream(FILE)) {
            if (in != null
                    && JsonReader.read(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                            instanceof ParseResult.Documents(var documents)
                    && documents.getFirst().root() instanceof JsonObject rules) {
                return rules;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(FILE + " is missing or damaged");
    }

    /// The `linux.seccomp` of a container.
    ///
    /// @param capabilities of the container, with `CAP_`
    JsonObject profile(Set<String> capabilities) {
        var calls = new ArrayList<JsonObject>();
        for (var rule : RULES.objects("rules")) {
            if (applies(rule, capabilities)) {
                calls.add(call(rule));
            }
        }
        var profile =
                JsonObject.of("defaultAction", Json.of("SCMP_ACT_ERRNO"))
                        .with("syscalls", Json.array(calls));
        var architectures = RULES.objectOrEmpty("architectures").strings(architecture);
        return architectures.isEmpty()
                ? profile
                : profile.with("architectures", RecordJson.texts(architectures));
    }

    private boolean applies(JsonObject rule, Set<String> capabilities) {
        List<String> anyOf = rule.strings("capabilities");
        return (anyOf.isEmpty() || anyOf.stream().anyMatch(capabilities::contains))
                && !capabilities.contains(rule.text("withoutCapability"))
                && rule.string("architecture").orElse(architecture).equals(architecture)
                && kernel.isAtLeast(KernelVersion.parse(rule.text("kernel")));
    }

    private static JsonObject call(JsonObject rule) {
        var call = JsonObject.of("names", RecordJson.texts(rule.strings("names")));
        var errno = rule.number("errno");
        call =
                errno.isPresent()
                        ? call.with("action", Json.of("SCMP_ACT_ERRNO"))
                                .with("errnoRet", Json.of(errno.getAsLong()))
                        : call.with("action", Json.of("SCMP_ACT_ALLOW"));
        var arguments = rule.objects("args");
        return arguments.isEmpty() ? call : call.with("args", Json.array(arguments));
    }

    /// A version such as `6.1.0-32-amd64`, compared by its first two numbers.
    private record KernelVersion(int major, int minor) {

        static KernelVersion parse(String text) {
            var numbers = text.split("[^0-9]", 3);
            return new KernelVersion(
                    number(numbers.length > 0 ? numbers[0] : ""),
                    number(numbers.length > 1 ? numbers[1] : ""));
        }

        private static int number(String text) {
            return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
        }

        boolean isAtLeast(KernelVersion other) {
            return major > other.major || (major == other.major && minor >= other.minor);
        }
    }
}
