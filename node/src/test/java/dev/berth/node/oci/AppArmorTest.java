package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.node.runtime.SecurityProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Selection of AppArmor profiles.
class AppArmorTest {

    @TempDir private Path directory;

    private AppArmor appArmor;

    @BeforeEach
    void enable() throws IOException {
        appArmor = new AppArmor(directory.resolve("enabled"), directory.resolve("profiles"));
        Files.writeString(appArmor.enabled(), "Y\n");
        Files.writeString(appArmor.profiles(), "/usr/bin/man (enforce)\napp one (complain)\n");
    }

    @Test
    void aLoadedProfileIsAccepted() throws Exception {
        assertThat(appArmor.profile(new SecurityProfile.Localhost("app one"))).hasValue("app one");
        assertThat(appArmor.profile(SecurityProfile.UNCONFINED)).isEmpty();
    }

    @Test
    void othersAreRefused() {
        assertThatThrownBy(() -> appArmor.profile(new SecurityProfile.Localhost("app")))
                .hasMessageContaining("AppArmor profile \"app\" is not loaded");
        assertThatThrownBy(() -> appArmor.profile(SecurityProfile.RUNTIME_DEFAULT))
                .hasMessageContaining("has no AppArmor profile RuntimeDefault");
    }

    @Test
    void withoutAppArmorOnlyUnconfinedIsAccepted() throws Exception {
        Files.writeString(appArmor.enabled(), "N\n");
        assertThatThrownBy(() -> appArmor.profile(new SecurityProfile.Localhost("app one")))
                .hasMessageContaining("AppArmor is not enabled on the host");
        assertThat(appArmor.profile(SecurityProfile.UNCONFINED)).isEmpty();
    }
}
