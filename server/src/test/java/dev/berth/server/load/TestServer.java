package dev.berth.server.load;

import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.auth.Tls;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/// A server of this process on a port that was free, and a way in for its administrator.
record TestServer(ApiServer server, SSLContext admin) implements AutoCloseable {

    static TestServer start(Path directory, UnaryOperator<ServerSettings> change) {
        var settings = change.apply(ServerSettings.in(directory).withAddress("127.0.0.1", 0));
        var server = ApiServer.start(settings);
        var authority = server.authority();
        var credential = authority.client("test", "test", List.of("system:masters"));
        return new TestServer(server, Tls.context(authority, credential));
    }

    RawClient client() {
        return new RawClient(server.uri(), admin);
    }

    RawClient stranger() {
        return new RawClient(server.uri(), Tls.context(server.authority()));
    }

    @Override
    public void close() {
        server.close();
    }
}
