package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.RuntimeFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Resolution of an image's user.
class ImageUsersTest {

    private final ImageUsers users =
            new ImageUsers(
                    List.of(
                            "root:x:0:0::/:",
                            "5:x:0:0:a name that is a number:/:",
                            "web:x:33:34::/:"),
                    List.of("root:x:0:", "7:x:0:", "logs:x:50:web"));

    @Test
    void aNumberIsNeverAName() throws Exception {
        assertThat(identity("5").uid()).isEqualTo(5);
        assertThat(identity("web:7").gid()).isEqualTo(7);
    }

    @Test
    void numericUsersNeedNoPasswdEntry() throws Exception {
        for (var root : List.of("", "0", "00", "+0", "0:0")) {
            assertThat(identity(root).uid()).as(root).isZero();
        }
        assertThat(identity("033").gid()).isEqualTo(34);
    }

    @Test
    void aNameHasItsGroups() throws Exception {
        var web = identity("web");
        assertThat(web.uid()).isEqualTo(33);
        assertThat(web.gid()).isEqualTo(34);
        assertThat(web.moreGroups()).containsExactly(34L, 50L);
        assertThat(identity("web:logs").gid()).isEqualTo(50);
    }

    @Test
    void invalidUsersAreRefused() {
        assertThatThrownBy(() -> identity("nosuch")).hasMessageContaining("no user \"nosuch\"");
        assertThatThrownBy(() -> identity("\u0660")).hasMessageContaining("no user");
        assertThatThrownBy(() -> identity("-1")).hasMessageContaining("user -1 does not exist");
        assertThatThrownBy(() -> identity("4294967296")).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> identity("web:nosuch")).hasMessageContaining("no group");
    }

    private ImageUsers.Identity identity(String imageUser) throws RuntimeFailure {
        return users.identity(Security.DEFAULT, imageUser);
    }
}
