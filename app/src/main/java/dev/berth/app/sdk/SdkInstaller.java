package dev.berth.app.sdk;

import dev.berth.model.file.AtomicFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes the artifacts of the SDK into a Maven repository, in the layout that `mvn install` uses.
///
/// The parent pom is installed with them, since the poms of the modules take versions from it. Its
/// plugins have no effect on projects that depend on a module.
final class SdkInstaller {

    private static final String GROUP = "dev/berth";
    private static final String PARENT = "berth";
    private static final String BOM = "berth-bom";
    private static final String READABLE = "rw-r--r--";

    private final SourceTree tree;

    SdkInstaller(SourceTree tree) {
        this.tree = tree;
    }

    /// Replaces artifacts of the same version.
    ///
    /// @return the version
    /// @throws IOException when a file cannot be read or written
    String install(Path repository) throws IOException {
        var version = Pom.version(tree.pom("bom"));
        write(repository, PARENT, version, ".pom", Files.readAllBytes(tree.pom("")));
        write(repository, BOM, version, ".pom", Files.readAllBytes(tree.pom("bom")));
        for (var module : SdkModule.values()) {
            var name = module.artifact();
            write(repository, name, version, ".jar", jar(module.classes()));
            write(repository, name, version, ".pom", Files.readAllBytes(tree.pom(name)));
            if (Files.isDirectory(tree.sources(module))) {
                write(repository, name, version, "-sources.jar", jar(tree.sources(module)));
            }
        }
        return version;
    }

    private static void write(
            Path repository, String artifact, String version, String suffix, byte[] content)
            throws IOException {
        var directory = repository.resolve(GROUP).resolve(artifact).resolve(version);
        Files.createDirectories(directory);
        AtomicFile.write(directory.resolve(artifact + "-" + version + suffix), content, READABLE);
    }

    /// A jar as it is, or the files of a directory as one.
    private static byte[] jar(Path origin) throws IOException {
        if (Files.isRegularFile(origin)) {
            return Files.readAllBytes(origin);
        }
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes);
                var files = Files.walk(origin)) {
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(origin.relativize(file).toString()));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
