package dev.berth.core.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each control: pods that violate it, pods that satisfy it, and since which release.
class PodSecurityTest {

    private static final String SAFE =
            """
            metadata: {name: p}
            spec:
              securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
              containers:
              - name: c
                securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
            """;

    private static JsonObject pod(String yaml) {
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new AssertionError(yaml);
    }

    private static String told(String level, String version, String yaml) {
        var minor = VersionedLevel.parseVersion(version).orElseThrow();
        var standard = new VersionedLevel(SecurityLevel.parse(level).orElseThrow(), minor);
        return ControlViolation.details(PodSecurity.violations(standard, pod(yaml)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // host namespaces
                "latest|spec: {hostNetwork: true, hostPID: true, hostIPC: true}"
                        + "|host namespaces (hostIPC=true, hostNetwork=true, hostPID=true)",
                "latest|spec: {hostNetwork: false}|``",
                // privileged
                "latest|spec: {containers: [{name: a, securityContext: {privileged: true}}]}"
                        + "|privileged (container \"a\" must not set"
                        + " securityContext.privileged=true)",
                "latest|spec: {ephemeralContainers: [{name: e, securityContext: {privileged: true}"
                        + "}], initContainers: [{name: i, securityContext: {privileged: true}}]}"
                        + "|privileged (containers \"i\", \"e\" must not set"
                        + " securityContext.privileged=true)",
                "latest|spec: {containers: [{name: a, securityContext: {privileged: false}}]}|``",
                // capabilities
                "latest|spec: {containers: [{name: a, securityContext: {capabilities: {add:"
                        + " [NET_RAW, CHOWN, BPF]}}}]}"
                        + "|non-default capabilities (container \"a\" must not include \"BPF\","
                        + " \"NET_RAW\" in securityContext.capabilities.add)",
                "latest|spec: {containers: [{name: a, securityContext: {capabilities: {add:"
                        + " [CHOWN, KILL]}}}]}|``",
                // hostPath
                "latest|spec: {volumes: [{name: v, hostPath: {path: /}}, {name: w, emptyDir: {}}]}"
                        + "|hostPath volumes (volume \"v\")",
                "latest|spec: {volumes: [{name: w, nfs: {}}]}|``",
                // hostPort
                "latest|spec: {containers: [{name: a, ports: [{hostPort: 80}, {hostPort: 443}]}]}"
                        + "|hostPort (container \"a\" uses hostPorts 443, 80)",
                "latest|spec: {containers: [{name: a, ports: [{containerPort: 80, hostPort: 0}]}]}"
                        + "|``",
                // probes
                "latest|spec: {containers: [{name: a, livenessProbe: {httpGet: {host: x}},"
                        + " lifecycle: {preStop: {tcpSocket: {host: z}}}}]}"
                        + "|probe or lifecycle host (container \"a\" uses probe or lifecycle hosts"
                        + " \"x\", \"z\")",
                "v1.33|spec: {containers: [{name: a, livenessProbe: {httpGet: {host: x}}}]}|``",
                "latest|spec: {containers: [{name: a, livenessProbe: {httpGet: {port: 1}}}]}|``",
                // AppArmor
                "latest|spec: {securityContext: {appArmorProfile: {type: Unconfined}}}"
                        + "|forbidden AppArmor profile (pod must not set AppArmor profile type to"
                        + " \"Unconfined\")",
                "latest|metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/a:"
                        + " unconfined}}|forbidden AppArmor profile (annotation must not set"
                        + " AppArmor profile type to"
                        + " \"container.apparmor.security.beta.kubernetes.io/a=\"unconfined\"\")",
                "latest|metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/a:"
                        + " localhost/x}}|``",
                "latest|spec: {securityContext: {appArmorProfile: {type: Localhost}}}|``",
                // SELinux
                "latest|spec: {securityContext: {seLinuxOptions: {type: spc_t, user: u, role: r}}}"
                        + "|seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type"
                        + " \"spc_t\"; user may not be set; role may not be set)",
                "v1.30|spec: {containers: [{name: a, securityContext: {seLinuxOptions: {type:"
                        + " container_engine_t}}}]}|seLinuxOptions (container \"a\" set forbidden"
                        + " securityContext.seLinuxOptions: type \"container_engine_t\")",
                "latest|spec: {containers: [{name: a, securityContext: {seLinuxOptions: {type:"
                        + " container_engine_t}}}]}|``",
                // /proc
                "latest|spec: {containers: [{name: a, securityContext: {procMount: Unmasked}}]}"
                        + "|procMount (container \"a\" must not set securityContext.procMount to"
                        + " \"Unmasked\")",
                "latest|spec: {hostUsers: false, containers: [{name: a, securityContext:"
                        + " {procMount: Unmasked}}]}|``",
                "v1.34|spec: {hostUsers: false, containers: [{name: a, securityContext:"
                        + " {procMount: Unmasked}}]}|procMount (container \"a\" must not set"
                        + " securityContext.procMount to \"Unmasked\")",
                "latest|spec: {containers: [{name: a, securityContext: {procMount: Default}}]}|``",
                // seccomp
                "latest|spec: {securityContext: {seccompProfile: {type: Unconfined}}, containers:"
                        + " [{name: a, securityContext: {seccompProfile: {type: Unconfined}}}]}"
                        + "|seccompProfile (pod and container \"a\" must not set"
                        + " securityContext.seccompProfile.type to \"Unconfined\")",
                "v1.18|metadata: {annotations: {seccomp.security.alpha.kubernetes.io/pod:"
                        + " unconfined}}|seccompProfile (forbidden annotation"
                        + " seccomp.security.alpha.kubernetes.io/pod=\"unconfined\")",
                "latest|spec: {securityContext: {seccompProfile: {type: Localhost}}}|``",
                // sysctls
                "latest|spec: {securityContext: {sysctls: [{name: kernel.msgmax}]}}"
                        + "|forbidden sysctls (kernel.msgmax)",
                "v1.36|spec: {securityContext: {sysctls: [{name: net.ipv4.tcp_notsent_lowat}]}}"
                        + "|forbidden sysctls (net.ipv4.tcp_notsent_lowat)",
                "latest|spec: {securityContext: {sysctls: [{name: net.ipv4.tcp_notsent_lowat}]}}"
                        + "|``",
                "v1.27|spec: {securityContext: {sysctls: [{name: net.ipv4.tcp_rmem}]}}"
                        + "|forbidden sysctls (net.ipv4.tcp_rmem)",
                "v1.32|spec: {securityContext: {sysctls: [{name: net.ipv4.tcp_rmem}]}}|``",
                // HostProcess
                "latest|spec: {securityContext: {windowsOptions: {hostProcess: true}}}"
                        + "|hostProcess (pod must not set"
                        + " securityContext.windowsOptions.hostProcess=true)",
                "latest|spec: {securityContext: {windowsOptions: {hostProcess: false}}}|``",
            })
    void baselineControls(String version, String yaml, String violations) {
        assertThat(told("baseline", version, yaml)).isEqualTo(violations);
        assertThat(told("privileged", version, yaml)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "latest|name: p|name: p|``",
                // privilege escalation
                "latest|allowPrivilegeEscalation: false|allowPrivilegeEscalation: true"
                        + "|allowPrivilegeEscalation != false (container \"c\" must set"
                        + " securityContext.allowPrivilegeEscalation=false)",
                "v1.7|allowPrivilegeEscalation: false|allowPrivilegeEscalation: true|``",
                // capabilities
                "latest|drop: [ALL]|drop: [NET_RAW]"
                        + "|unrestricted capabilities (container \"c\" must set"
                        + " securityContext.capabilities.drop=[\"ALL\"])",
                "latest|drop: [ALL]|drop: [ALL], add: [CHOWN]"
                        + "|unrestricted capabilities (container \"c\" must not include \"CHOWN\""
                        + " in securityContext.capabilities.add)",
                "latest|drop: [ALL]|drop: [ALL], add: [NET_BIND_SERVICE]|``",
                "v1.21|drop: [ALL]|drop: [NET_RAW]|``",
                // /proc
                "latest|drop: [ALL]}|drop: [ALL]}, procMount: Unmasked"
                        + "|procMount (container \"c\" must not set securityContext.procMount to"
                        + " \"Unmasked\")",
                // user
                "latest|runAsNonRoot: true|runAsNonRoot: false"
                        + "|runAsNonRoot != true (pod must not set"
                        + " securityContext.runAsNonRoot=false)",
                "latest|runAsNonRoot: true,|``"
                        + "|runAsNonRoot != true (pod or container \"c\" must set"
                        + " securityContext.runAsNonRoot=true)",
                "latest|runAsNonRoot: true|runAsNonRoot: true, runAsUser: 0"
                        + "|runAsUser=0 (pod must not set runAsUser=0)",
                "v1.22|runAsNonRoot: true|runAsNonRoot: true, runAsUser: 0|``",
                "latest|runAsNonRoot: true|runAsNonRoot: true, runAsUser: 1000|``",
                // seccomp
                "latest|type: RuntimeDefault|type: Unconfined"
                        + "|seccompProfile (pod must not set securityContext.seccompProfile.type"
                        + " to \"Unconfined\")",
                "latest|, seccompProfile: {type: RuntimeDefault}|``"
                        + "|seccompProfile (pod or container \"c\" must set"
                        + " securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                        + " \"Localhost\")",
                "v1.18|, seccompProfile: {type: RuntimeDefault}|``|``",
                "latest|type: RuntimeDefault|type: Localhost|``",
            })
    void restrictedControls(String version, String part, String replacement, String violations) {
        assertThat(SAFE).contains(part);
        assertThat(told("restricted", version, SAFE.replace(part, replacement)))
                .isEqualTo(violations);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{name: v, nfs: {}}, {name: w, hostPath: {path: /}}"
                        + "|restricted volume types (volumes \"v\", \"w\" use restricted volume"
                        + " types \"hostPath\", \"nfs\")",
                "{name: v}|restricted volume types (volume \"v\" uses restricted volume type"
                        + " \"unknown\")",
                "{name: v, image: {}}, {name: w, csi: {}}, {name: x, projected: {}}|``",
            })
    void restrictedVolumes(String volumes, String violations) {
        var yaml = SAFE.replace("spec:\n", "spec:\n  volumes: [" + volumes + "]\n");

        assertThat(told("restricted", "latest", yaml)).isEqualTo(violations);
    }

    @Test
    void userNamespacesRelaxUsersSince135() {
        var yaml =
                SAFE.replace("runAsNonRoot: true", "runAsNonRoot: false, runAsUser: 0")
                        .replace("spec:\n", "spec:\n  hostUsers: false\n");

        assertThat(told("restricted", "latest", yaml)).isEmpty();
        assertThat(told("restricted", "v1.34", yaml))
                .contains("runAsNonRoot != true", "runAsUser=0");
    }

    @Test
    void windowsPodsNeedNoLinuxControlsSince125() {
        var yaml =
                "spec: {os: {name: windows}, securityContext: {runAsNonRoot: true}, "
                        + "containers: [{name: c}]}";

        assertThat(told("restricted", "latest", yaml)).isEmpty();
        assertThat(told("restricted", "v1.24", yaml))
                .contains("allowPrivilegeEscalation", "capabilities", "seccompProfile");
    }

    @Test
    void baselineViolationsComeFirstAndOverriddenChecksOnce() {
        var yaml =
                """
                spec:
                  hostPID: true
                  containers:
                  - {name: c, securityContext: {privileged: true, capabilities: {add: [BPF]}}}
                  volumes: [{name: v, hostPath: {path: /}}]
                """;

        assertThat(
                        ControlViolation.reasons(
                                PodSecurity.violations(
                                        VersionedLevel.latest(SecurityLevel.RESTRICTED),
                                        pod(yaml))))
                .isEqualTo(
                        "host namespaces, privileged, allowPrivilegeEscalation != false,"
                                + " unrestricted capabilities, restricted volume types,"
                                + " runAsNonRoot != true, seccompProfile");
    }
}
