package dev.berth.dashboard.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The files of the page, from the class path. Each is read and compressed once.
final class PageAssets {

    /// A file.
    ///
    /// @param isImmutable whether its name contains a hash of its content
    record Asset(String contentType, DataBody body, boolean isImmutable) {}

    private static final Pattern PATH =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*");

    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "svg", "image/svg+xml",
                    "png", "image/png",
                    "ico", "image/x-icon",
                    "json", "application/json",
                    "txt", "text/plain; charset=utf-8");

    private static final String INDEX = "index.html";
    private static final String NO_PAGE =
            "This build of Berth has no dashboard page. The data API is at /ui/api/.\n";

    private final String base;

    // Holds only files that exist, so their number is the bound.
    private final Map<String, Asset> assets = new ConcurrentHashMap<>();

    /// @param base path of the files in the class path, with a slash at its end
    PageAssets(String base) {
        this.base = base;
    }

    /// The file at a path below `/ui/`. All paths but those of assets are views of the page: names
    /// of objects, which are their last segments, can have dots.
    Optional<Asset> find(String path) {
        return path.startsWith("assets/") ? file(path) : Optional.of(index());
    }

    private Asset index() {
        return file(INDEX)
                .orElseGet(() ->
                        new Asset(
                                "text/plain; charset=utf-8",
                                DataBody.unversioned(NO_PAGE.getBytes(StandardCharsets.UTF_8)),
                                false));
    }

    private Optional<Asset> file(String path) {
        var extension = path.substring(path.lastIndexOf('.') + 1);
        if (!PATH.matcher(path).matches() || !TYPES.containsKey(extension)) {
            return Optional.empty();
        }
        var known = assets.get(path);
        if (known != null) {
            return Optional.of(known);
        }
        try (var in = PageAssets.class.getClassLoader().getResourceAsStream(base + path)) {
            if (in == null) {
                return Optional.empty();
            }
            var asset =
                    new Asset(
                            TYPES.getOrDefault(extension, ""),
                            DataBody.unversioned(in.readAllBytes()),
                            path.startsWith("assets/"));
            assets.put(path, asset);
            return Optional.of(asset);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
