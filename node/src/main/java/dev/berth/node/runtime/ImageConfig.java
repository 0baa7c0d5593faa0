package dev.berth.node.runtime;

import java.util.List;

/// Container configuration of an image.
///
/// @param id digest of its configuration, `sha256:…`
/// @param user `name`, `uid` or `uid:gid`; empty for root
public record ImageConfig(
        String id,
        List<String> entrypoint,
        List<String> command,
        List<EnvVariable> env,
        String workingDirectory,
        String user) {

    public ImageConfig {
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
        env = List.copyOf(env);
    }
}
