package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Wrong command lines: two lines on standard error, nothing on standard output, exit code 2.
class UsageErrorTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    hlep | unknown command "hlep" | Did you mean berth help?
                    dashboard | unknown command "dashboard" | See berth --help.
                    image lst | unknown command "lst" | Did you mean berth image list?
                    help imag | unknown command "imag" | Did you mean berth image?
                    up --prot 1 | unknown option --prot | Did you mean --port?
                    up extra | unexpected argument "extra" | See berth up --help.
                    up --port abc | --port: "abc" is not a number | See berth up --help.
                    up --store x | --store: "x" is not one of sqlite, etcd, memory | \
                    See berth up --help.
                    plan -o xml | -o: "xml" is not one of text, json, yaml | \
                    See berth plan --help.
                    plan --policy x | \
                    --policy: "x" is not one of kubernetes, pack, aligned, spread; \
                    separate several by commas | \
                    See berth plan --help.
                    completion fish | SHELL: "fish" is not one of bash, zsh | \
                    See berth completion --help.
                    node --label a | --label: "a" is not KEY=VALUE | See berth node --help.
                    backup | missing required parameter: FILE | See berth backup --help.
                    up --nodes h100=2 | unknown hardware profile "h100"; did you mean h100x8, \
                    h100-mig or h100-static-mig? | \
                    See berth up --help.
                    up --nodes zzz | unknown hardware profile "zzz"; berth up --list-profiles \
                    lists the profiles | \
                    See berth up --help.
                    up --profiles /none | cannot read profiles: /none: no such file or \
                    directory | \
                    See berth up --help.
                    explain service/x | "service/x" cannot be explained; kinds: pod, claim, \
                    deployment, job, statefulset, replicaset, daemonset, cronjob | \
                    See berth explain --help.
                    explain deploymnt x | "deploymnt x" cannot be explained; did you mean \
                    deployment? | \
                    See berth explain --help.
                    explain x | "x" has no kind; write pod/x, claim/x or deployment/x | \
                    See berth explain --help.
                    explain job | "job" has no name; write job/NAME | See berth explain --help.
                    explain pod/ | "pod/" has no name; write pod/NAME | See berth explain --help.
                    explain pod/a pod/b | "pod/a pod/b" is more than one object; give one | \
                    See berth explain --help.
                    inventory -o wide | -o: "wide" is not one of text, json, yaml | \
                    See berth inventory --help.
                    explain -o xml pod/x | -o: "xml" is not one of text, wide, json, yaml | \
                    See berth explain --help.
                    lint -o xml | -o: "xml" is not one of text, json, yaml | \
                    See berth lint --help.
                    schedule --binding-timeout 0 | --binding-timeout: "0" is not a number of \
                    seconds from 1 | \
                    See berth schedule --help.
                    """)
    void isTwoLines(String arguments, String message, String hint) {
        var run = CommandRun.of(arguments.split(" "));
        assertThat(run.err()).isEqualTo("berth: %s%n%s%n".formatted(message, hint));
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(2);
    }
}
