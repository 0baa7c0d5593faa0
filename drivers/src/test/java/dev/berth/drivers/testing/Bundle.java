package dev.berth.drivers.testing;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.HostCommands;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.node.cdi.ContainerEdits;
import dev.berth.node.cdi.HostDevices;
import dev.berth.node.cdi.OciEdits;
import dev.berth.node.driver.PrepareResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A `runc` container with busybox and the CDI edits of prepared devices.
public final class Bundle implements AutoCloseable {

    private static final String PROGRAMS =
            "sh cat head env grep stat blockdev echo ip ping sleep ls true";

    private final Path directory;
    private final String id;
    private final HostCommands tools = new HostCommands();
    private JsonObject config;

    /// @param name unique in this run of the tests
    public Bundle(Path directory, String name) throws Exception {
        this.directory = Files.createDirectories(directory.resolve(name));
        this.id = name + "-" + ProcessHandle.current().pid();
        var bin = Files.createDirectories(this.directory.resolve("rootfs/bin"));
        for (var place : List.of("proc", "dev", "sys", "tmp")) {
            Files.createDirectories(this.directory.resolve("rootfs").resolve(place));
        }
        Files.copy(tools.path("busybox"), bin.resolve("busybox"));
        for (var program : List.of(PROGRAMS.split(" ", -1))) {
            Files.createSymbolicLink(bin.resolve(program), Path.of("busybox"));
        }
        tools.run("runc", "spec", "--bundle", this.directory.toString());
        config = usable(read(this.directory.resolve("config.json")));
    }

    private static JsonObject read(Path file) throws IOException {
        return JsonReader.read(Files.readAllBytes(file))
                                instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    private JsonObject usable(JsonObject spec) {
        var process = spec.objectOrEmpty("process").with("terminal", Json.of(false));
        var linux = spec.objectOrEmpty("linux").with("cgroupsPath", Json.of("/" + id));
        return spec.with("process", process.without("rlimits"))
                .with("root", spec.objectOrEmpty("root").with("readonly", Json.of(false)))
                .with("linux", linux);
    }

    /// Root file system of the container.
    public Path root() {
        return directory.resolve("rootfs");
    }

    /// Applies the CDI edits of prepared devices, as a runtime does.
    public Bundle with(PrepareResult preparation) {
        preparation.devices().forEach(device -> with(device.edits()));
        return this;
    }

    public Bundle with(ContainerEdits edits) {
        config =
                switch (new OciEdits(new HostDevices(Path.of("/"))).apply(edits, config)) {
                    case OciEdits.Result.Edited(var edited) -> edited;
                    case OciEdits.Result.Failed(var reason) -> throw new AssertionError(reason);
                };
        return this;
    }

    /// Runs the container in an existing network namespace.
    public Bundle inNetwork(String namespace) {
        return inNetworkOf("/run/netns/" + namespace);
    }

    /// Runs the container in the network namespace of a file.
    public Bundle inNetworkOf(String path) {
        var all = new ArrayList<Json>();
        for (var one : config.objectOrEmpty("linux").objects("namespaces")) {
            all.add(one.text("type").equals("network") ? one.with("path", Json.of(path)) : one);
        }
        config =
                config.with(
                        "linux", config.objectOrEmpty("linux").with("namespaces", Json.array(all)));
        return this;
    }

    /// Runs a shell command in a new container and waits for it.
    public HostCommands.CommandResult run(String line) throws Exception {
        write(line);
        return tools.attempt(
                "runc", "--root", state(), "run", "--bundle", directory.toString(), id);
    }

    /// Creates the container without starting its process.
    public HostCommands.CommandResult create() throws Exception {
        write("true");
        // The container process would keep a pipe open.
        return tools.attempt(
                "sh",
                "-c",
                "exec \"$@\" >\"$0\" 2>&1 </dev/null",
                directory.resolve("created.log").toString(),
                "runc",
                "--root",
                state(),
                "create",
                "--bundle",
                directory.toString(),
                id);
    }

    /// PID of the container process, from `runc state`.
    public Optional<String> pid() throws Exception {
        var ended = tools.attempt("runc", "--root", state(), "state", id);
        return ended.isSuccess()
                ? Optional.of(ended.output().replaceAll("(?s).*\"pid\": ([0-9]+).*", "$1"))
                : Optional.empty();
    }

    private void write(String line) throws IOException {
        var words = List.of(Json.of("/bin/sh"), Json.of("-c"), Json.of(line));
        var process = config.objectOrEmpty("process").with("args", Json.array(words));
        Files.writeString(
                directory.resolve("config.json"),
                JsonWriter.pretty(config.with("process", process)));
    }

    private String state() {
        return directory.resolve("state").toString();
    }

    @Override
    public void close() throws DeviceException {
        delete();
    }

    /// Deletes the container, if it exists.
    public void delete() throws DeviceException {
        tools.attempt("runc", "--root", state(), "delete", "--force", id);
    }
}
