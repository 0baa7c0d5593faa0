package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StandardClassesTest {

    private static final HardwareProfiles PROFILES = HardwareProfiles.builtIn();

    @Test
    void everyClassIsOfTheDriverOfAProfile() {
        assertThat(StandardClasses.ofProfiles(PROFILES.all()))
                .containsExactlyElementsOf(HardwareProfiles.deviceClasses());
    }

    @Test
    void aProfileHasTheClassesOfItsDriversOnly() {
        assertThat(names("tpu-v5e")).containsExactly("tpu.google.com");
        assertThat(names("cpu")).isEmpty();
        assertThat(names("h100x8"))
                .contains("gpu.nvidia.com", "mig.nvidia.com", "dra.net")
                .doesNotContain("tpu.google.com", "gpu.amd.com");
    }

    private static List<String> names(String profile) {
        return StandardClasses.ofProfiles(List.of(PROFILES.find(profile).orElseThrow())).stream()
                .map(one -> one.objectOrEmpty("metadata").text("name"))
                .toList();
    }
}
