import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Processes that commands of a page have started and left running, such as a detached cluster.
/// They are found by a variable of their environment, since they may be in sessions of their own.
final class LeftOverProcesses {

    static final String VARIABLE = "CHECK_DOCS_RUN";

    private static final int PATIENCE_MILLIS = 10_000;
    private static final int POLL_MILLIS = 50;

    private LeftOverProcesses() {}

    /// Ends all processes with this token: with SIGTERM, after ten seconds with SIGKILL.
    static void end(String token) {
        find(token).forEach(ProcessHandle::destroy);
        for (var waited = 0; waited < PATIENCE_MILLIS; waited += POLL_MILLIS) {
            if (find(token).isEmpty()) {
                return;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        find(token).forEach(ProcessHandle::destroyForcibly);
    }

    private static List<ProcessHandle> find(String token) {
        return ProcessHandle.allProcesses()
                .filter(process -> environment(process).contains(VARIABLE + "=" + token))
                .toList();
    }

    private static String environment(ProcessHandle process) {
        try {
            var bytes = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }
}
