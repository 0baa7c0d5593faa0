# shellcheck shell=bash
# Background processes of a script: start, wait for a line of their log, stop. The script sets
# "berth" (the command) and "logs" (the directory of the logs) first. All processes are stopped when
# the script ends.

declare -A pids=()

# start NAME JAVA_OPTIONS COMMAND …
start() {
    local name=$1 options=$2
    shift 2
    # shellcheck disable=SC2154  # set by the script
    : >"$logs/$name.log"
    # shellcheck disable=SC2154
    BERTH_JAVA_OPTIONS=$options "$berth" "$@" >"$logs/$name.log" 2>&1 &
    pids[$name]=$!
}

stop() {
    if [ -n "${pids[$1]:-}" ]; then
        kill "${pids[$1]}" 2>/dev/null || true
        wait "${pids[$1]}" 2>/dev/null || true
        unset "pids[$1]"
    fi
}

stop_all() {
    local name
    for name in "${!pids[@]}"; do
        kill "${pids[$name]}" 2>/dev/null || true
    done
    for name in "${!pids[@]}"; do
        wait "${pids[$name]}" 2>/dev/null || true
    done
    pids=()
}
trap stop_all EXIT
trap 'exit 2' INT TERM

# Waits up to 60 s for a line in the log of a process.
await_line() {
    local name=$1 line=$2 tries
    for ((tries = 0; tries < 300; tries++)); do
        grep -q "$line" "$logs/$name.log" && return 0
        kill -0 "${pids[$name]}" 2>/dev/null || break
        sleep 0.2
    done
    echo "${0##*/}: $name did not start:" >&2
    cat "$logs/$name.log" >&2
    exit 2
}
