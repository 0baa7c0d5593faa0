#!/bin/sh
# OCI createRuntime hook: pins a container to the CPUs of a claim. Runs once for each allocated
# core; the cores of a container add up.
#
# usage: cpu-hook.sh NOTES CLAIM CPUS PARTITION CGROUPS PROC   (OCI state on standard input)
set -eu

notes=$1 claim=$2 cpus=$3 partition=$4 cgroups=$5 proc=$6

fail() {
    echo "cpu.berth.dev: $*" >&2
    exit 1
}

# The PID in the OCI state; annotations cannot match, since their values are strings.
pid=$(tr -d '\n' | sed -n 's/.*"pid": *\([0-9][0-9]*\).*/\1/p')
[ -n "$pid" ] || fail "the OCI state has no pid"

# PIDs are reused; PID and start time together are unique.
began=$(sed 's/.*) //' "$proc/$pid/stat" | cut -d ' ' -f 20)
mkdir -p "$notes/containers" "$notes/exclusive"
exec 9>"$notes/lock"
flock 9 || fail "flock is missing; install util-linux"
note="$notes/containers/$pid-$began"

# The cpuset cgroup of the container: in its own hierarchy (v1), or in the unified one (v2).
path=$(sed -n 's/^[0-9]*:\([^:]*,\)\{0,1\}cpuset\(,[^:]*\)\{0,1\}://p' "$proc/$pid/cgroup")
if [ -n "$path" ]; then
    version=1
    root=$cgroups/cpuset
else
    version=2
    root=$cgroups
    path=$(sed -n 's/^0:://p' "$proc/$pid/cgroup")
fi
[ -n "$path" ] && [ "$path" != / ] ||
    fail "the container has no cpuset cgroup of its own, which exclusive CPUs require"
cgroup=$root$path
[ -e "$cgroup/cpuset.cpus" ] ||
    fail "$cgroup has no cpuset.cpus; is the cpuset controller enabled?"

[ -e "$note" ] || echo "cgroup $cgroup" >"$note"
grep -qxF "claim $claim $cpus" "$note" || echo "claim $claim $cpus" >>"$note"
all=$(sed -n 's/^claim [^ ]* //p' "$note" | tr '\n' ',')
all=${all%,}

# Two containers cannot have the same CPU exclusively: containers that share a claim share its CPUs.
alone=yes
for other in "$notes"/containers/*; do
    its=${other##*/}
    if [ ! -d "$proc/${its%-*}" ]; then
        rm -f "$other"
        continue
    fi
    [ "$other" != "$note" ] && grep -q "^claim $claim " "$other" || continue
    its=$(sed -n 's/^cgroup //p' "$other")
    if [ -e "$its/cpuset.cpus.partition" ]; then
        alone=no
        echo member >"$its/cpuset.cpus.partition" || true
    fi
done

echo "$all" 2>/dev/null >"$cgroup/cpuset.cpus" ||
    fail "cannot assign CPUs $all to $cgroup; its parent has $(cat "${cgroup%/*}/cpuset.cpus")"

# The rest makes the CPUs exclusive if cgroup v2 supports it; it is optional.
[ "$version" = 2 ] && [ -e "$cgroup/cpuset.cpus.partition" ] || exit 0
[ "$partition" != member ] && [ "$alone" = yes ] || exit 0

# A cpuset partition takes CPUs from the whole machine; all parent cgroups must permit it.
above=${path%/*}
chain=
while [ -n "$above" ]; do
    chain="$above $chain"
    above=${above%/*}
done
for one in $chain; do
    file=$root$one/cpuset.cpus.exclusive
    [ -e "$file" ] || continue
    had=$(cat "$file")
    grep -qsxF "${one#/} $cpus" "$notes/exclusive/$claim" ||
        echo "${one#/} $cpus" >>"$notes/exclusive/$claim"
    echo "${had:+$had,}$cpus" 2>/dev/null >"$file" || true
done
if [ -e "$cgroup/cpuset.cpus.exclusive" ]; then
    echo "$all" 2>/dev/null >"$cgroup/cpuset.cpus.exclusive" || true
fi
echo "$partition" 2>/dev/null >"$cgroup/cpuset.cpus.partition" || true
case $(cat "$cgroup/cpuset.cpus.partition") in
*invalid*) echo member >"$cgroup/cpuset.cpus.partition" || true ;;
esac
exit 0
