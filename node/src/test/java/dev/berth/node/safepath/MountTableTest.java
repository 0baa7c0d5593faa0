package dev.berth.node.safepath;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Parsing of the kernel's mount table.
class MountTableTest {

    @Test
    void pathsThatAreInvalidInJavaAreIgnored() {
        var table =
                MountTable.of(
                        List.of(
                                "36 35 98:0 /\ufffd\r /one\\040two rw - ext4 /dev/x rw",
                                "37 35 98:0 / /nul\u0000 rw - ext4 /dev/x rw",
                                "38 35 98:0 / /three rw - tmpfs none rw,size=1k",
                                ""));
        assertThat(table.has(Path.of("/one two"))).isTrue();
        assertThat(table.ofType("tmpfs"))
                .containsExactly(new MountTable.Mount(Path.of("/three"), "tmpfs", "rw,size=1k"));
        assertThat(table.below(Path.of("/"))).hasSize(2);
    }
}
