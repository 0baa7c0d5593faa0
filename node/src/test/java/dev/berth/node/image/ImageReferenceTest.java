package dev.berth.node.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {

    @ParameterizedTest
    @CsvSource({
        "busybox, docker.io/library/busybox:latest",
        "busybox:1.36, docker.io/library/busybox:1.36",
        "someone/app, docker.io/someone/app:latest",
        "localhost/app, localhost/app:latest",
        "localhost:5000/app, localhost:5000/app:latest",
        "registry.k8s.io/pause:3.9, registry.k8s.io/pause:3.9",
        "docker.io/library/busybox:latest, docker.io/library/busybox:latest",
    })
    void namesAreNormalized(String written, String whole) {
        assertThat(ImageReference.parse(written).orElseThrow()).hasToString(whole);
    }

    @Test
    void aDigestOverridesATag() {
        var digest = "sha256:" + "0".repeat(64);
        assertThat(ImageReference.parse("app:1@" + digest).orElseThrow())
                .hasToString("docker.io/library/app@" + digest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "App", "a b", "app:", "app@sha256:1", "../app", "app/", "-x"})
    void invalidNamesAreRejected(String written) {
        assertThat(ImageReference.parse(written)).isEmpty();
    }
}
