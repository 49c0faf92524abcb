# Sourced by ./mvnw and ./tidemark: sets JAVA_HOME to a JDK 25, or says clearly what is missing.
# Order: a JAVA_HOME that already is a JDK 25, `java` on the PATH, then the usual install folders.

# Words of the shell alone: every start of a server is here.
_tidemark_is_jdk25() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while read -r _line; do
    case $_line in 'JAVA_VERSION="25.'* | 'JAVA_VERSION="25"'*) return 0 ;; esac
  done <"$1/release"
  return 1
}

_tidemark_take_jdk() {
  _tidemark_is_jdk25 "$1" || return 1
  JAVA_HOME=$1
  export JAVA_HOME
}

_tidemark_find_jdk() {
  [ -z "${JAVA_HOME-}" ] || ! _tidemark_take_jdk "$JAVA_HOME" || return 0
  if _java=$(command -v java); then
    _java=$(readlink -f "$_java")
    ! _tidemark_take_jdk "${_java%/bin/java}" || return 0
  fi
  for _home in /usr/lib/jvm/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    ! _tidemark_take_jdk "$_home" || return 0
  done
  echo "tidemark: no JDK 25 found (looked at JAVA_HOME='${JAVA_HOME-}', java on the PATH, /usr/lib/jvm, /opt/java, ~/.sdkman)." >&2
  echo "tidemark: install a JDK 25 (for example Temurin 25) or set JAVA_HOME to one." >&2
  return 1
}

_tidemark_find_jdk || exit 1
