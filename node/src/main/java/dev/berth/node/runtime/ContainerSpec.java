package dev.berth.node.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A container as it is to be.
///
/// @param attempt how many containers of that name the pod had before
/// @param arguments the whole command line, the image's own parts included
/// @param env the whole environment, the image's own included
/// @param workingDirectory empty for `/`
/// @param cdiDevices ids such as `vendor.com/class=name`; any that is unknown fails the container
/// @param log the file for what it prints, in the form of CRI
public record ContainerSpec(
        String name,
        int attempt,
        String image,
        List<String> arguments,
        List<EnvVariable> env,
        String workingDirectory,
        List<Mount> mounts,
        List<String> cdiDevices,
        Limits limits,
        Security security,
        boolean hasTerminal,
        boolean hasInput,
        Path log) {

    public ContainerSpec {
        arguments = List.copyOf(arguments);
        env = List.copyOf(env);
        mounts = List.copyOf(mounts);
        cdiDevices = List.copyOf(cdiDevices);
    }

    /// A file or directory of the machine in the container.
    public record Mount(Path host, String container, boolean isReadOnly) {}

    /// What a container may use of the machine.
    ///
    /// @param cpuShares its weight, 1024 for a core
    /// @param cpuQuotaMicros in each 100 ms
    /// @param cpus a list such as `0-3,8`; empty for all
    public record Limits(
            OptionalLong cpuShares,
            OptionalLong cpuQuotaMicros,
            OptionalLong memoryBytes,
            String cpus,
            int oomScoreAdjustment) {

        public static final Limits NONE =
                new Limits(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), "", 0);
    }

    /// As whom a container runs, and what it may do.
    ///
    /// @param user a number or a name of the image's; empty for the image's own
    /// @param hasStrictGroups true when the groups that the image gives the user do not count
    /// @param addedCapabilities without `CAP_`; `ALL` for all
    public record Security(
            Optional<String> user,
            OptionalLong group,
            List<Long> moreGroups,
            boolean hasStrictGroups,
            boolean isPrivileged,
            boolean hasReadOnlyRoot,
            boolean mayGainPrivileges,
            List<String> addedCapabilities,
            List<String> droppedCapabilities,
            Confinement confinement) {

        /// A container that says nothing about it.
        public static final Security DEFAULT =
                new Security(
                        Optional.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        false,
                        false,
                        true,
                        List.of(),
                        List.of());

        /// A container without profiles, with the groups of its image.
        public Security(
                Optional<String> user,
                OptionalLong group,
                List<Long> moreGroups,
                boolean isPrivileged,
                boolean hasReadOnlyRoot,
                boolean mayGainPrivileges,
                List<String> addedCapabilities,
                List<String> droppedCapabilities) {
            this(
                    user,
                    group,
                    moreGroups,
                    false,
                    isPrivileged,
                    hasReadOnlyRoot,
                    mayGainPrivileges,
                    addedCapabilities,
                    droppedCapabilities,
                    Confinement.NONE);
        }

        public Security {
            moreGroups = List.copyOf(moreGroups);
            addedCapabilities = List.copyOf(addedCapabilities);
            droppedCapabilities = List.copyOf(droppedCapabilities);
        }
    }
}
