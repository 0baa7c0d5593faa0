package dev.berth.drivers.sim;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.model.text.FailureText;
import dev.berth.model.text.SimilarNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The available hardware profiles by name.
public final class HardwareProfiles {

    private static final String SUFFIX = ".yaml";

    private static final List<String> BUILT_IN =
            List.of(
                    "h100x8",
                    "h100-mig",
                    "h100-static-mig",
                    "a100x4",
                    "a100-mig",
                    "b200-mig",
                    "gb200",
                    "gb300",
                    "p4d",
                    "p5",
                    "azure-h100",
                    "oci-h100",
                    "gke-a4",
                    "ack-erdma",
                    "t4x2",
                    "l4",
                    "l40s",
                    "vgpu-a100",
                    "gpu-vfio",
                    "gpu-timeslice",
                    "gpu-memory-share",
                    "hami-gpu",
                    "tpu-v4",
                    "tpu-v5e",
                    "tpu-v5p",
                    "tpu-v6e",
                    "intel-gpu",
                    "intel-flex",
                    "gaudi3",
                    "qat",
                    "amd-mi300x",
                    "amd-mi300x-cpx",
                    "amd-mi300x-auto",
                    "amd-vfio",
                    "furiosa",
                    "rebellions",
                    "ascend",
                    "tenstorrent",
                    "spyre",
                    "trn1",
                    "cpu",
                    "dra-cpu",
                    "dra-cpu-numa",
                    "dra-cpu-hybrid",
                    "dra-memory",
                    "nvme",
                    "cxl",
                    "fpga",
                    "camera",
                    "dranet",
                    "net-shared",
                    "sriov",
                    "sriov-ports",
                    "composite",
                    "composable",
                    "example-gpu",
                    "example-gpu-partitions",
                    "example-gpu-shared",
                    "example-gpu-binding");

    private final Map<String, HardwareProfile> byName;

    private HardwareProfiles(Map<String, HardwareProfile> byName) {
        this.byName = byName;
    }

    /// The built-in profiles.
    public static HardwareProfiles builtIn() {
        var profiles = new TreeMap<String, HardwareProfile>();
        for (var name : BUILT_IN) {
            profiles.put(name, profile(name, resource(name + SUFFIX)));
        }
        return new HardwareProfiles(profiles);
    }

    /// Only these profiles.
    public static HardwareProfiles of(List<HardwareProfile> profiles) {
        var byName = new TreeMap<String, HardwareProfile>();
        profiles.forEach(one -> byName.put(one.name(), one));
        return new HardwareProfiles(byName);
    }

    /// With the profiles of a directory, each in a file `NAME.yaml`; they override profiles of the
    /// same name.
    ///
    /// @throws InvalidProfileException when the directory or one of its files cannot be read
    public HardwareProfiles with(Path directory) {
        var profiles = new TreeMap<>(byName);
        try (var files = Files.list(directory)) {
            for (var file : files.sorted().toList()) {
                var name = String.valueOf(file.getFileName());
                if (name.endsWith(SUFFIX)) {
                    var plain = name.substring(0, name.length() - SUFFIX.length());
                    profiles.put(plain, profile(plain, Files.readString(file)));
                }
            }
        } catch (IOException e) {
            throw new InvalidProfileException("cannot read profiles: " + FailureText.of(e));
        }
        return new HardwareProfiles(profiles);
    }

    /// Saves the profiles of a plan that are not built in to a directory, from which [#with] reads
    /// them.
    public static void save(FleetPlan plan, Path directory) {
        save(plan.counts().keySet(), directory);
    }

    /// Saves profiles that are not built in to a directory.
    public static void save(Collection<HardwareProfile> profiles, Path directory) {
        var known = builtIn();
        for (var profile : profiles) {
            var file = directory.resolve(profile.name() + SUFFIX);
            var isBuiltIn =
                    known.find(profile.name())
                            .filter(one -> one.text().equals(profile.text()))
                            .isPresent();
            if (!isBuiltIn || Files.exists(file)) {
                write(file, profile);
            }
        }
    }

    private static void write(Path file, HardwareProfile profile) {
        // JSON is valid YAML.
        var text = JsonWriter.pretty(profile.text());
        try {
            Files.createDirectories(file.resolveSibling(""));
            AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8), "rw-r--r--");
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot save profile %s: %s".formatted(profile.name(), FailureText.of(e)), e);
        }
    }

    public Optional<HardwareProfile> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// The error message about an unknown profile, with similar names.
    public String unknown(String name) {
        return "unknown hardware profile \"%s\"; %s"
                .formatted(
                        name,
                        SimilarNames.question(name, byName.keySet())
                                .orElse("berth up --list-profiles lists the profiles"));
    }

    public List<HardwareProfile> all() {
        return List.copyOf(byName.values());
    }

    /// The DeviceClasses that vendors ship with their drivers, and some typical ones of
    /// administrators.
    public static List<JsonObject> deviceClasses() {
        return documents("classes.yaml", resource("classes.yaml"));
    }

    private static HardwareProfile profile(String name, String text) {
        var documents = documents(name + SUFFIX, text);
        if (documents.size() != 1) {
            throw new InvalidProfileException(
                    name + SUFFIX + ": expected one document, found " + documents.size());
        }
        return new HardwareProfile(name, documents.getFirst());
    }

    private static List<JsonObject> documents(String file, String text) {
        return switch (YamlReader.read(text)) {
            case ParseResult.Malformed(var message, var line, var column) ->
                    throw new InvalidProfileException(
                            "%s:%d:%d: %s".formatted(file, line, column, message));
            case ParseResult.Documents(var documents) -> {
                var objects = new ArrayList<JsonObject>();
                for (var document : documents) {
                    if (!(document.root() instanceof JsonObject object)) {
                        throw new InvalidProfileException(file + ": expected an object");
                    }
                    objects.add(object);
                }
                yield objects;
            }
        };
    }

    private static String resource(String name) {
        try (var in = HardwareProfiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource: profile " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
