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

/// All devices that some directories offer, as they were at one moment.
///
/// Of two files with the same device the one in the later directory counts. Two in one directory
/// cancel each other out, and with them any other file for that device: nobody could say which is
/// meant.
public final class CdiRegistry {

    /// Where runtimes look, the least important first.
    public static final List<Path> STANDARD = List.of(CdiDirectory.STATIC, CdiDirectory.DYNAMIC);

    /// A document and where it came from.
    ///
    /// @param priority position of its directory; higher counts more
    public record Source(Path file, int priority, CdiSpec spec) {}

    /// A device that can be used.
    public record Offer(CdiDeviceId id, Source source, CdiDevice device) {}

    private final List<Source> sources = new ArrayList<>();
    private final NavigableMap<Path, List<CdiProblem>> problems = new TreeMap<>();
    private final NavigableMap<String, Offer> offers = new TreeMap<>();

    private CdiRegistry() {}

    /// Reads all files that end in `.json` or `.yaml`, not those of directories within.
    ///
    /// @param directories the least important first; those that are not there are passed over
    public static CdiRegistry scan(List<Path> directories) throws IOException {
        var registry = new CdiRegistry();
        for (var i = 0; i < directories.size(); i++) {
            for (var file : files(directories.get(i))) {
                registry.read(file, i);
            }
        }
        registry.rank();
        return registry;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(CdiRegistry::isDocument).sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
    }

    private static boolean isDocument(Path file) {
        var name = file.toString();
        return (name.endsWith(".json") || name.endsWith(".yaml")) && !Files.isDirectory(file);
    }

    private void read(Path file, int priority) {
        try {
            switch (CdiReader.read(Files.readString(file))) {
                case CdiReader.Result.Valid(var spec) ->
                        sources.add(new Source(file, priority, spec));
                case CdiReader.Result.Broken(var found) -> problems.put(file, found);
            }
        } catch (NoSuchFileException _) {
            // Deleted since the directory was listed.
        } catch (CharacterCodingException _) {
            complain(file, "the file is not UTF-8");
        } catch (IOException e) {
            complain(file, "the file cannot be read: " + e.getMessage());
        }
    }

    private void rank() {
        var conflicts = new HashSet<String>();
        for (var source : sources) {
            for (var device : source.spec.devices()) {
                var id = new CdiDeviceId(source.spec.kind(), device.name());
                var offer = new Offer(id, source, device);
                var other = offers.putIfAbsent(id.toString(), offer);
                if (other == null) {
                    continue;
                }
                if (source.priority > other.source.priority) {
                    offers.put(id.toString(), offer);
                } else {
                    conflicts.add(id.toString());
                    complain(
                            source.file,
                            "device %s is also in %s".formatted(id, other.source.file));
                    complain(
                            other.source.file,
                            "device %s is also in %s".formatted(id, source.file));
                }
            }
        }
        conflicts.forEach(offers::remove);
    }

    private void complain(Path file, String message) {
        problems.computeIfAbsent(file, _ -> new ArrayList<>())
                .add(CdiProblem.invalid(FieldPath.ROOT, message));
    }

    /// All documents that could be read.
    public List<Source> sources() {
        return Collections.unmodifiableList(sources);
    }

    /// What is wrong, by file.
    public NavigableMap<Path, List<CdiProblem>> problems() {
        return Collections.unmodifiableNavigableMap(problems);
    }

    /// All devices, by identifier.
    public List<Offer> offers() {
        return List.copyOf(offers.values());
    }

    public Optional<Offer> find(String id) {
        return Optional.ofNullable(offers.get(id));
    }

    /// What came of looking devices up.
    public sealed interface Resolution {

        /// All edits for all devices, in order.
        record Resolved(ContainerEdits edits) implements Resolution {}

        /// These are not there; a container must not be started without them.
        record Unresolved(List<String> ids) implements Resolution {
            public Unresolved {
                ids = List.copyOf(ids);
            }
        }
    }

    /// The edits for some devices: of each document those for all its devices once, before its
    /// first device.
    public Resolution resolve(List<String> ids) {
        var unresolved = new ArrayList<String>();
        Set<Source> begun = Collections.newSetFromMap(new IdentityHashMap<>());
        var edits = ContainerEdits.NONE;
        for (var id : ids) {
            var offer = offers.get(id);
            if (offer == null) {
                unresolved.add(id);
                continue;
            }
            if (begun.add(offer.source)) {
                edits = edits.and(offer.source.spec.edits());
            }
            edits = edits.and(offer.device.edits());
        }
        return unresolved.isEmpty()
                ? new Resolution.Resolved(edits)
                : new Resolution.Unresolved(unresolved);
    }

    /// Gives devices to a container.
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
