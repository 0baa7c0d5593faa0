# Sourced by the launcher: chooses Java's collector and heap by command, memory and cores. See bench/results/memory.md.
# The functions take a directory in place of "/" or figures in place of those of this machine, so that tests can call
# them. They use no subshells, of which each would cost a command a millisecond.

# Sets REPLY to the memory in MB that a process may use here: that of the machine, or the limit of its cgroup (v1 or
# v2) or of one above it, whichever is smaller.
berth_memory_mb() {
    local root=${1:-} key value controllers path
    REPLY=0
    while read -r key value _; do
        if [ "$key" = MemTotal: ]; then
            REPLY=$((value / 1024))
            break
        fi
    done <"$root/proc/meminfo"
    while IFS=: read -r _ controllers path; do
        if [ -z "$controllers" ]; then
            berth_lower_to_limit "$root/sys/fs/cgroup" "$path" memory.max
            berth_lower_to_limit "$root/sys/fs/cgroup/unified" "$path" memory.max
        elif [[ ,$controllers, == *,memory,* ]]; then
            berth_lower_to_limit "$root/sys/fs/cgroup/memory" "$path" memory.limit_in_bytes
        fi
    done <"$root/proc/self/cgroup"
}

# Lowers REPLY to the limit in a file of a cgroup or of one above it. In a container the path is often that of the
# host, and only the file at the top is there.
berth_lower_to_limit() {
    local directory=$1 path=${2%/} file=$3 bytes
    while true; do
        if [ -r "$directory$path/$file" ]; then
            read -r bytes <"$directory$path/$file"
            # No limit is "max", or a number of 19 digits.
            if [[ $bytes =~ ^[0-9]{1,18}$ ]] && ((bytes >> 20 < REPLY)); then
                REPLY=$((bytes >> 20))
            fi
        fi
        [ -n "$path" ] || return 0
        path=${path%/*}
    done
}

# Sets REPLY to a size as Java's options have it, in MB: 512m, 2g, 1073741824.
berth_size_mb() {
    local number=${1%[kKmMgGtT]}
    case $1 in
        *[kK]) REPLY=$((number / 1024)) ;;
        *[mM]) REPLY=$number ;;
        *[gG]) REPLY=$((number * 1024)) ;;
        *[tT]) REPLY=$((number * 1024 * 1024)) ;;
        *) REPLY=$((number / 1024 / 1024)) ;;
    esac
}

# Sets BERTH_JVM_OPTIONS for a command: berth_jvm_options COMMAND MEMORY_MB CORES [JAVA_OPTION …]
#
# JAVA_OPTIONs come behind these and decide. They are looked at because the young generation has to fit into the heap
# that they leave (with one as large as the heap Java cannot use the ahead-of-time cache and does not start), and
# because Java accepts one collector only.
berth_jvm_options() {
    local command=$1 memory=$2 cores=$3 collector=Serial percent=50 most_young heap=0 trims= young
    shift 3
    case $command in
        serve)
            # Nearly all that a request makes is garbage when it is answered, so little room for the young is enough
            # and keeps the process small; see bench/results/server.md.
            most_young=64
            ;;
        up)
            trims=yes most_young=256
            ;;
        control)
            trims=yes most_young=64 percent=25
            ;;
        schedule)
            trims=yes most_young=32 percent=25
            ;;
        bench | demo)
            # What is measured is not to wait for memory: with several collectors and room for the young, pauses take
            # a third of the time; see bench/results/scheduling.md.
            most_young=1024
            [ "$memory" -lt 4096 ] || collector=Parallel
            ;;
        node)
            most_young=256
            ;;
        *)
            # One compiler tier starts faster and is enough for commands.
            BERTH_JVM_OPTIONS=(-XX:TieredStopAtLevel=1)
            berth_take_over "$@"
            [ -z "$collector" ] || BERTH_JVM_OPTIONS+=("-XX:+Use${collector}GC")
            return
            ;;
    esac
    [ -z "$trims" ] || [ "$cores" -lt 4 ] || collector=Parallel
    berth_take_over "$@"
    [ "$heap" -gt 0 ] || heap=$((memory * percent / 100))
    [ "$memory" -gt 2048 ] || [ "$most_young" -lt 32 ] || most_young=32
    young=$((heap / 3 < most_young ? heap / 3 : most_young))
    BERTH_JVM_OPTIONS=("-XX:MaxRAMPercentage=$percent" "-XX:MaxNewSize=$((young > 1 ? young : 1))m")
    [ -z "$collector" ] || BERTH_JVM_OPTIONS+=("-XX:+Use${collector}GC")
    [ "$memory" -gt 2048 ] || BERTH_JVM_OPTIONS+=(-XX:ReservedCodeCacheSize=64m)
    if [ -n "$trims" ]; then
        # Java would begin with a 64th of the machine, and collect the old generation when the heap is full. These
        # begin small and collect it when it has grown by half (HeapTrimmer), so that only a large cluster takes what
        # they may have at most.
        BERTH_JVM_OPTIONS+=("-Xms$((heap < 48 ? heap : 48))m" -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30
            -Dberth.heap-growth-percent=50)
    fi
}

# Takes over from Java's options what they say of collector, memory and heap, in variables of the caller.
berth_take_over() {
    local option
    for option in "$@"; do
        case $option in
            -XX:+Use*GC)
                collector=
                ;;
            -XX:MaxRAM=*)
                berth_size_mb "${option#*=}"
                memory=$((REPLY < memory ? REPLY : memory))
                ;;
            -XX:MaxRAMPercentage=*)
                percent=${option#*=}
                percent=${percent%.*}
                ;;
            -Xmx*)
                berth_size_mb "${option#-Xmx}"
                heap=$REPLY
                ;;
            -XX:MaxHeapSize=*)
                berth_size_mb "${option#*=}"
                heap=$REPLY
                ;;
        esac
    done
}
