package dev.berth.app.sdk;

import dev.berth.client.Cluster;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.slice.Device;
import dev.berth.node.driver.Driver;
import dev.berth.schema.Schemas;
import dev.berth.wire.registration.RegistrationGrpc;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A module of Berth that drivers are compiled against.
enum SdkModule {
    NODE(Driver.class, "src/main/java"),
    CLIENT(Cluster.class, "src/main/java"),
    CORE(SliceReconciler.class, "src/main/java"),
    SCHEMA(Schemas.class, "src/main/java"),
    METRICS(MetricsRegistry.class, "src/main/java"),
    MODEL(Device.class, "src/main/java"),
    WIRE(RegistrationGrpc.class, "target/generated-sources/protobuf");

    private final Class<?> member;
    private final String sources;

    /// @param member any class of the module
    /// @param sources directory of its Java sources, below that of the module
    SdkModule(Class<?> member, String sources) {
        this.member = member;
        this.sources = sources;
    }

    String artifact() {
        return name().toLowerCase(Locale.ROOT);
    }

    Path sources() {
        return Path.of(sources);
    }

    /// The jar that its classes are loaded from, or the directory when tests run in the build.
    Path classes() {
        try {
            var source = member.getProtectionDomain().getCodeSource();
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("class loaders name files by URI", e);
        }
    }

    /// The artifacts that come with [#NODE].
    static String others() {
        return Arrays.stream(values())
                .filter(module -> module != NODE)
                .map(SdkModule::artifact)
                .collect(Collectors.joining(", "));
    }
}
