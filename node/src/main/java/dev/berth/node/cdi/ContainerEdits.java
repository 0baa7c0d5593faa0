package dev.berth.node.cdi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Changes to a container that let it use a device.
///
/// @param env variables, `NAME=value`
/// @param netDevices network interfaces to move into the container
/// @param additionalGids groups of the container's process; 0 is ignored
public record ContainerEdits(
        List<String> env,
        List<DeviceNode> deviceNodes,
        List<NetDevice> netDevices,
        List<Mount> mounts,
        List<Hook> hooks,
        List<Long> additionalGids,
        Optional<IntelRdt> intelRdt) {

    /// No edits.
    public static final ContainerEdits NONE =
            new ContainerEdits(
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    Optional.empty());

    public ContainerEdits {
        env = List.copyOf(env);
        deviceNodes = List.copyOf(deviceNodes);
        netDevices = List.copyOf(netDevices);
        mounts = List.copyOf(mounts);
        hooks = List.copyOf(hooks);
        additionalGids = List.copyOf(additionalGids);
    }

    /// A device node in the container.
    ///
    /// @param path in the container
    /// @param hostPath of the host's device node; empty for the same path
    /// @param type `b`, `c`, `u` or `p`; empty for that of the host's node
    /// @param major with minor, 0 for those of the host's node
    /// @param fileMode permission bits; empty for the runtime's default
    /// @param permissions access of the container, of `rwm`; empty for all, `none` for none
    public record DeviceNode(
            String path,
            String hostPath,
            String type,
            long major,
            long minor,
            OptionalInt fileMode,
            String permissions,
            OptionalLong uid,
            OptionalLong gid) {

        /// The host's device node at the same path, with all permissions.
        public static DeviceNode of(String path) {
            return new DeviceNode(
                    path,
                    "",
                    "",
                    0,
                    0,
                    OptionalInt.empty(),
                    "",
                    OptionalLong.empty(),
                    OptionalLong.empty());
        }

        public DeviceNode withHostPath(String newHostPath) {
            return new DeviceNode(
                    path, newHostPath, type, major, minor, fileMode, permissions, uid, gid);
        }

        public DeviceNode withPermissions(String newPermissions) {
            return new DeviceNode(
                    path, hostPath, type, major, minor, fileMode, newPermissions, uid, gid);
        }

        public DeviceNode withNumbers(String newType, long newMajor, long newMinor) {
            return new DeviceNode(
                    path, hostPath, newType, newMajor, newMinor, fileMode, permissions, uid, gid);
        }
    }

    /// A network interface of the host that is moved into the container.
    public record NetDevice(String hostInterfaceName, String name) {}

    /// A directory or file of the host in the container.
    ///
    /// @param type of file system; empty for the runtime's default
    public record Mount(String hostPath, String containerPath, List<String> options, String type) {
        public Mount {
            options = List.copyOf(options);
        }

        /// A read-only bind mount of a host path.
        public static Mount readOnly(String hostPath, String containerPath) {
            return new Mount(hostPath, containerPath, List.of("ro", "nosuid", "nodev", "bind"), "");
        }
    }

    /// A program that the runtime runs at a point of the container's lifecycle.
    ///
    /// @param hookName such as `createRuntime`
    public record Hook(
            String hookName,
            String path,
            List<String> args,
            List<String> env,
            OptionalInt timeout) {
        public Hook {
            args = List.copyOf(args);
            env = List.copyOf(env);
        }
    }

    /// A class of service of Intel's Resource Director Technology.
    ///
    /// @param enableCmt only until version 1.0.0
    /// @param enableMbm only until version 1.0.0
    /// @param schemata from version 1.1.0 on
    /// @param enableMonitoring from version 1.1.0 on
    public record IntelRdt(
            String closId,
            String l3CacheSchema,
            String memBwSchema,
            boolean enableCmt,
            boolean enableMbm,
            List<String> schemata,
            boolean enableMonitoring) {
        public IntelRdt {
            schemata = List.copyOf(schemata);
        }
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    /// These edits followed by others; of Resource Director Technology the last one wins.
    public ContainerEdits and(ContainerEdits more) {
        return new ContainerEdits(
                joined(env, more.env),
                joined(deviceNodes, more.deviceNodes),
                joined(netDevices, more.netDevices),
                joined(mounts, more.mounts),
                joined(hooks, more.hooks),
                joined(additionalGids, more.additionalGids),
                more.intelRdt.or(() -> intelRdt));
    }

    public ContainerEdits withEnv(String name, String value) {
        return and(
                new ContainerEdits(
                        List.of(name + "=" + value),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty()));
    }

    public ContainerEdits withDeviceNode(DeviceNode node) {
        return new ContainerEdits(
                env,
                joined(deviceNodes, List.of(node)),
                netDevices,
                mounts,
                hooks,
                additionalGids,
                intelRdt);
    }

    public ContainerEdits withMount(Mount mount) {
        return new ContainerEdits(
                env,
                deviceNodes,
                netDevices,
                joined(mounts, List.of(mount)),
                hooks,
                additionalGids,
                intelRdt);
    }

    public ContainerEdits withHook(Hook hook) {
        return new ContainerEdits(
                env,
                deviceNodes,
                netDevices,
                mounts,
                joined(hooks, List.of(hook)),
                additionalGids,
                intelRdt);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        var all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
