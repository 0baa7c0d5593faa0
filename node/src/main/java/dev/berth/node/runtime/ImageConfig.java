package dev.berth.node.runtime;

import java.util.List;

/// What an image says about containers made of it.
///
/// @param id the digest of its configuration, `sha256:…`
/// @param user as the image says it, `name`, `uid` or `uid:gid`; empty for root
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
