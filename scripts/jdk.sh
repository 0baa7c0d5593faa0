# Sourced by the other scripts: sets JAVA_HOME to a JDK 25, or says what to install.

is_jdk25() {
    [ -x "$1/bin/javac" ] && grep -q '^JAVA_VERSION="25[".]' "$1/release" 2>/dev/null
}

find_jdk25() {
    local home on_path
    on_path=$(command -v javac >/dev/null 2>&1 && dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /opt/*jdk* "$HOME"/.sdkman/candidates/java/*; do
        if [ -n "$home" ] && is_jdk25 "$home"; then
            printf '%s\n' "$home"
            return
        fi
    done
    return 1
}

if ! JAVA_HOME=$(find_jdk25); then
    echo "berth: no JDK 25 found (looked at JAVA_HOME, PATH, /usr/lib/jvm, /opt and sdkman)." >&2
    echo "Install one, for example Debian's openjdk-25-jdk-headless or Temurin 25, or set JAVA_HOME." >&2
    exit 3
fi
export JAVA_HOME
