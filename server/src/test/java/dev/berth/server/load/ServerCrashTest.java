package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills of a server under concurrent writers and a watch. `scripts/soak` runs more of them.
class ServerCrashTest {

    private static final int KILLS = 20;
    private static final long SEED = 4;

    @TempDir private Path directory;

    @Test
    void acknowledgedWritesSurviveKillsAndWatchesResumeWithoutGaps() throws Exception {
        var totals = new KillRun(directory, SEED).run(KILLS);
        System.out.println(totals);
        assertThat(totals.writes()).as("a run without writes shows nothing").isGreaterThan(KILLS);
        assertThat(totals.events()).as("a run without events shows nothing").isGreaterThan(KILLS);
        assertThat(totals.resumptions()).as("watches resume on a live server").isPositive();
    }
}
