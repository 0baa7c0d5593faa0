package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Rules of the seccomp profile `RuntimeDefault`.
class DefaultSeccompTest {

    private static final String KERNEL = "6.1.0-32-amd64";
    private static final Set<String> NONE = Set.of();

    private final DefaultSeccomp amd64 = new DefaultSeccomp("amd64", KERNEL);

    @Test
    void unlistedSystemCallsFail() {
        var profile = amd64.profile(NONE);
        assertThat(profile.text("defaultAction")).isEqualTo("SCMP_ACT_ERRNO");
        assertThat(profile.strings("architectures"))
                .containsExactly("SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32");
        assertThat(allowed(profile))
                .contains("read", "openat", "execve", "arch_prctl", "ptrace")
                .doesNotContain("mount", "unshare", "setns", "bpf", "keyctl", "add_key")
                .doesNotContain("io_uring_setup", "userfaultfd", "kexec_load", "chroot")
                .doesNotContain("cacheflush", "clone3", "open_by_handle_at");
    }

    @Test
    void capabilitiesAllowTheirSystemCalls() {
        assertThat(allowed(amd64.profile(Set.of("CAP_SYS_CHROOT"))))
                .contains("chroot")
                .doesNotContain("mount");
        assertThat(allowed(amd64.profile(Set.of("CAP_BPF")))).contains("bpf");
        assertThat(allowed(amd64.profile(Set.of("CAP_SYS_ADMIN"))))
                .contains("mount", "unshare", "bpf", "syslog", "clone3");
    }

    @Test
    void cloneCreatesNamespacesOnlyWithTheCapability() {
        var clone = rule(amd64.profile(NONE), "clone");
        var argument = clone.objects("args").getFirst();
        assertThat(argument.number("value")).hasValue(0x7E02_0000L);
        assertThat(argument.text("op")).isEqualTo("SCMP_CMP_MASKED_EQ");
        var clone3 = rule(amd64.profile(NONE), "clone3");
        assertThat(clone3.text("action")).isEqualTo("SCMP_ACT_ERRNO");
        assertThat(clone3.number("errnoRet")).hasValue(38);
        assertThat(rule(amd64.profile(Set.of("CAP_SYS_ADMIN")), "clone").has("args")).isFalse();
    }

    @Test
    void architecturesHaveTheirOwnSystemCalls() {
        var profile = new DefaultSeccomp("aarch64", KERNEL).profile(NONE);
        assertThat(profile.strings("architectures"))
                .containsExactly("SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM");
        assertThat(allowed(profile)).contains("cacheflush").doesNotContain("arch_prctl");
    }

    @Test
    void oldKernelsDoNotAllowTracing() {
        assertThat(allowed(new DefaultSeccomp("amd64", "4.7.10").profile(NONE)))
                .doesNotContain("ptrace", "process_vm_readv");
        assertThat(allowed(new DefaultSeccomp("amd64", "4.8.0").profile(NONE))).contains("ptrace");
    }

    private static JsonObject rule(JsonObject profile, String call) {
        return profile.objects("syscalls").stream()
                .filter(one -> one.strings("names").contains(call))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> allowed(JsonObject profile) {
        return profile.objects("syscalls").stream()
                .filter(one -> one.text("action").equals("SCMP_ACT_ALLOW"))
                .flatMap(one -> one.strings("names").stream())
                .toList();
    }
}
