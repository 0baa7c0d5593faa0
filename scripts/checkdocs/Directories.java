import java.nio.file.Path;

/// The directories of a run, which a page shows under other names.
///
/// @param root the repository; pages show it as `/home/ada/berth`
/// @param home the home directory of the page; pages show it as `/home/ada` or `~`
/// @param temporary the directory for temporary files of the page; pages show it as `/tmp`
record Directories(Path root, Path home, Path temporary) {

    private static final String SHOWN_HOME = "/home/ada";

    /// The text with placeholders for these directories.
    String replacedIn(String text) {
        return shown(text).replace(SHOWN_HOME, "~");
    }

    /// The text as a page shows it.
    String shown(String text) {
        return text.replace(home.toString(), SHOWN_HOME)
                .replace(temporary.toString(), "/tmp")
                .replace(root.toString(), SHOWN_HOME + "/berth");
    }
}
