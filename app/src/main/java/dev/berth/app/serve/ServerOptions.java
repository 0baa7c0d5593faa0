package dev.berth.app.serve;

import dev.berth.app.manifest.GateOptions;
import dev.berth.app.running.DataDirectoryOption;
import dev.berth.core.podsecurity.SecurityLevel;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.store.etcd.EtcdAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of all commands that start an API server.
public final class ServerOptions {

    /// Stores for objects.
    enum StoreType {
        SQLITE,
        ETCD,
        MEMORY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Mixin private DataDirectoryOption directory = new DataDirectoryOption();

    @Option(
            names = "--bind",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description = "Address to listen on.")
    private String bind = "127.0.0.1";

    @Option(
            names = "--port",
            defaultValue = "6443",
            paramLabel = "PORT",
            description = "Port to listen on. 0 chooses a free port.")
    private int port = ServerSettings.PORT;

    @Option(
            names = "--name",
            paramLabel = "HOST",
            description =
                    "Additional name or address of the server, for its certificate. Repeatable.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--store",
            defaultValue = "sqlite",
            paramLabel = "STORE",
            description = "Object store.")
    private StoreType store = StoreType.SQLITE;

    @Option(
            names = "--etcd-endpoints",
            split = ",",
            paramLabel = "HOST:PORT",
            description = "Endpoints of etcd, with --store etcd.")
    private List<String> endpoints = new ArrayList<>();

    @Option(
            names = "--etcd-ca",
            paramLabel = "FILE",
            description = "CA certificate of the etcd servers.")
    private Optional<Path> etcdAuthority = Optional.empty();

    @Option(
            names = "--etcd-cert",
            paramLabel = "FILE",
            description = "Client certificate for etcd.")
    private Optional<Path> etcdCertificate = Optional.empty();

    @Option(names = "--etcd-key", paramLabel = "FILE", description = "Private key of --etcd-cert.")
    private Optional<Path> etcdKey = Optional.empty();

    @Option(
            names = "--pod-security-default",
            defaultValue = "privileged",
            paramLabel = "LEVEL",
            description =
                    "Pod Security level of namespaces without pod-security.kubernetes.io labels.")
    private SecurityLevel podSecurity = SecurityLevel.PRIVILEGED;

    @Mixin private GateOptions gates = new GateOptions();

    /// The data directory.
    public Path directory() {
        return directory.path();
    }

    public ServerSettings settings(CommandLine command) {
        return ServerSettings.in(directory())
                .withAddress(bind, port)
                .withNames(names)
                .withStore(store(command))
                .withGates(gates.gates(command))
                .withPodSecurity(podSecurity);
    }

    private StoreChoice store(CommandLine command) {
        if (store != StoreType.ETCD && !endpoints.isEmpty()) {
            throw new ParameterException(
                    command, "--etcd-endpoints is given, but not --store etcd; give both");
        }
        return switch (store) {
            case SQLITE -> new StoreChoice.Sqlite();
            case MEMORY -> new StoreChoice.Memory();
            case ETCD -> {
                if (endpoints.isEmpty()) {
                    throw new ParameterException(
                            command, "--store etcd needs --etcd-endpoints HOST:PORT[,…]");
                }
                yield new StoreChoice.Etcd(access(command));
            }
        };
    }

    private EtcdAccess access(CommandLine command) {
        if (etcdCertificate.isPresent() != etcdKey.isPresent()) {
            throw new ParameterException(
                    command, "--etcd-cert and --etcd-key belong together; give both or none");
        }
        return new EtcdAccess(
                endpoints,
                EtcdAccess.PREFIX,
                etcdAuthority,
                etcdCertificate,
                etcdKey,
                Optional.empty());
    }
}
