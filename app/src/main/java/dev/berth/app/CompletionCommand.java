package dev.berth.app;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth completion`: a completion script for a shell.
@Command(
        name = "completion",
        description = {
            "Print a script that completes commands, options and their values in a shell.",
            "",
            "The script is read by the shell: at once with the first example, and in every new"
                    + " shell when that line is in ~/.bashrc or ~/.zshrc. It completes the command"
                    + " berth, which must be on the PATH or an alias."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "Examples:",
            "  source <(berth completion bash)",
            "  source <(berth completion zsh)",
            "  berth completion bash > /etc/bash_completion.d/berth"
        })
final class CompletionCommand implements Callable<Integer> {

    /// One script serves both: it enables the bash functions of zsh when zsh reads it.
    enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "The shell.")
    private Shell shell = Shell.BASH;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        out.println("# Completion of berth for " + shell + ".");
        out.print(AutoComplete.bash("berth", spec.root().commandLine()));
        out.flush();
        return 0;
    }
}
