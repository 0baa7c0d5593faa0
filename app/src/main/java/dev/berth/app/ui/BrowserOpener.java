package dev.berth.app.ui;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.List;

/// Opens a URL in the browser of the desktop.
final class BrowserOpener {

    private static final List<String> PROGRAMS = List.of("xdg-open", "open", "wslview");

    private BrowserOpener() {}

    /// False when no program for it is installed.
    static boolean open(URI uri) {
        for (var program : PROGRAMS) {
            try {
                new ProcessBuilder(program, uri.toString())
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(Redirect.DISCARD)
                        .start();
                return true;
            } catch (IOException _) {
                // Not installed; the next may be.
            }
        }
        return false;
    }
}
