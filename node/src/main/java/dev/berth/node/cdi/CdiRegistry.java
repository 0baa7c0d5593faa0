package dev.berth.node.cdi;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// All devices of the CDI specs in some directories, at one moment.
///
/// Of two specs with the same device the one in the later directory wins. Two in one directory
/// conflict and make the device unusable, also from any other file, because it is ambiguous.
public final class CdiRegistry {

    /// The spec directories of runtimes, in ascending priority.
    public static final List<Path> STANDARD = List.of(CdiDirectory.STATIC, CdiDirectory.DYNAMIC);

    /// A spec and its file.
    ///
    /// @param priority position of its directory; higher wins
    public record Source(Path file, int priority, CdiSpec spec) {}

    /// A device that can be used.
    public record RegisteredDevice(CdiDeviceId id, Source source, CdiDevice device) {}

    private final List<Source> sources = new ArrayList<>();
    private final NavigableMap<Path, List<CdiProblem>> problems = new TreeMap<>();
    private final NavigableMap<String, RegisteredDevice> devices = new TreeMap<>();

    private CdiRegistry() {}

    /// Reads all files that end in `.json` or `.yaml`, without subdirectories.
    ///
    /// @param directories in ascending priority; missing ones are ignored
    public static CdiRegistry scan(List<Path> directories) throws IOException {
        var registry = new CdiRegistry();
        for (var i = 0; i < directories.size(); i++) {
            for (var file : files(directories.get(i))) {
                registry.read(file, i);
            }
        }
        registry.index();
        return registry;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(CdiRegistry::isSpec).sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
    }

    private static boolean isSpec(Path file) {
        var name = file.toString();
        return (name.endsWith(".json") || name.endsWith(".yaml")) && !Files.isDirectory(file);
    }

    private void read(Path file, int priority) {
        try {
            switch (CdiReader.read(Files.readString(file))) {
                case CdiReader.Result.Valid(var spec) ->
                        sources.add(new Source(file, priority, spec));
                case CdiReader.Result.Invalid(var found) -> problems.put(file, found);
            }
        } catch (NoSuchFileException _) {
            // Deleted since the directory was listed.
        } catch (CharacterCodingException _) {
            addProblem(file, "the file is not UTF-8");
        } catch (IOException e) {
            addProblem(file, "the file cannot be read: " + e.getMessage());
        }
    }

    private void index() {
        var conflicts = new HashSet<String>();
        for (var source : sources) {
            for (var device : source.spec.devices()) {
                var id = new CdiDeviceId(source.spec.kind(), device.name());
                var registered = new RegisteredDevice(id, source, device);
                var other = devices.putIfAbsent(id.toString(), registered);
                if (other == null) {
                    continue;
                }
                if (source.priority > other.source.priority) {
                    devices.put(id.toString(), registered);
                } else {
                    conflicts.add(id.toString());
                    addProblem(
                            source.file,
                            "device %s is also in %s".formatted(id, other.source.file));
                    addProblem(
                            other.source.file,
                            "device %s is also in %s".formatted(id, source.file));
                }
            }
        }
        conflicts.forEach(devices::remove);
    }

    private void addProblem(Path file, String message) {
        problems.computeIfAbsent(file, _ -> new ArrayList<>())
                .add(CdiProblem.invalid(FieldPath.ROOT, message));
    }

    /// All valid specs.
    public List<Source> sources() {
        return Collections.unmodifiableList(sources);
    }

    /// Problems by file.
    public NavigableMap<Path, List<CdiProblem>> problems() {
        return Collections.unmodifiableNavigableMap(problems);
    }

    /// All devices, by name.
    public List<RegisteredDevice> devices() {
        return List.copyOf(devices.values());
    }

    public Optional<RegisteredDevice> find(String id) {
        return Optional.ofNullable(devices.get(id));
    }

    /// Result of resolving device names.
    public sealed interface Resolution {

        /// The edits of all devices, in order.
        record Resolved(ContainerEdits edits) implements Resolution {}

        /// These devices do not exist; a container must not be started without them.
        record Unresolved(List<String> ids) implements Resolution {
            public Unresolved {
                ids = List.copyOf(ids);
            }
        }
    }

    /// The edits of devices: those of each spec once, before its first device.
    public Resolution resolve(List<String> ids) {
        var unresolved = new ArrayList<String>();
        Set<Source> applied = Collections.newSetFromMap(new IdentityHashMap<>());
        var edits = ContainerEdits.NONE;
        for (var id : ids) {
            var registered = devices.get(id);
            if (registered == null) {
                unresolved.add(id);
                continue;
            }
            if (applied.add(registered.source)) {
                edits = edits.and(registered.source.spec.edits());
            }
            edits = edits.and(registered.device.edits());
        }
        return unresolved.isEmpty()
                ? new Resolution.Resolved(edits)
                : new Resolution.Unresolved(unresolved);
    }

    /// Injects devices into a container.
    ///
    /// @param config its OCI `config.json`
    public OciEdits.Result inject(List<String> ids, JsonObject config, HostDevices devices) {
        return switch (resolve(ids)) {
            case Resolution.Unresolved(var missing) ->
                    new OciEdits.Result.Failed(
                            "unresolvable CDI devices " + String.join(", ", missing));
            case Resolution.Resolved(var edits) -> new OciEdits(devices).apply(edits, config);
        };
    }
}
