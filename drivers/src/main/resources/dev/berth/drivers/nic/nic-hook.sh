#!/bin/sh
# OCI createRuntime hook: moves a network interface into the network namespace of a pod. Runs for
# each container with the interface; the containers of a pod share a network, so only the first run
# moves it.
#
# usage: nic-hook.sh PLAN   (OCI state on standard input)
set -eu

fail() {
    echo "nic.berth.dev: $*" >&2
    exit 1
}

# Sets: interface, pod_name, alias, pin, home, mtu, addresses, routes
[ -r "$1" ] || fail "plan $1 not found; the claim is not prepared"
. "$1"

pid=$(tr -d '\n' | sed -n 's/.*"pid": *\([0-9][0-9]*\).*/\1/p')
[ -n "$pid" ] || fail "the OCI state has no pid"
[ "$(readlink /proc/self/ns/net)" != "$(readlink "/proc/$pid/ns/net")" ] ||
    fail "the pod uses hostNetwork, where $interface already is"

exec 9>"$1.lock"
flock 9 || fail "flock is missing; install util-linux"

at_home() {
    if [ -n "$home" ]; then ip -n "$home" "$@"; else ip "$@"; fi
}
in_pod() {
    ip -n "$pin" "$@"
}
has() { # where: does a namespace have the interface under a name?
    "$1" link show dev "$2" 2>/dev/null | grep -qxF "    alias $alias"
}

# A named reference keeps the pod's network namespace until the claim is unprepared, so that the
# interface can be moved back.
if [ -e "/run/netns/$pin" ] &&
    [ "$(stat -Lc %d:%i "/run/netns/$pin")" != "$(stat -Lc %d:%i "/proc/$pid/ns/net")" ]; then
    [ -z "$(ip netns pids "$pin")" ] || fail "$interface is in another pod that uses the claim"
    if has in_pod "$pod_name"; then
        in_pod link set dev "$pod_name" netns "${home:-$$}" name "$interface"
    fi
    ip netns delete "$pin"
fi
[ -e "/run/netns/$pin" ] || ip netns attach "$pin" "$pid"

if ! has in_pod "$pod_name"; then
    if in_pod link show dev "$pod_name" >/dev/null 2>&1; then
        fail "the pod already has an interface $pod_name; set another name in the claim parameters"
    fi
    has at_home "$interface" || fail "interface $interface not found; was it unplugged?"
    at_home link set dev "$interface" netns "$pid" name "$pod_name"
fi
if [ -n "$mtu" ]; then in_pod link set dev "$pod_name" mtu "$mtu"; fi
for address in $addresses; do
    in_pod addr replace "$address" dev "$pod_name"
done
in_pod link set dev "$pod_name" up
for route in $routes; do
    via=${route#*,}
    if [ -n "$via" ]; then
        in_pod route replace "${route%%,*}" via "$via" dev "$pod_name"
    else
        in_pod route replace "${route%%,*}" dev "$pod_name"
    fi
done
