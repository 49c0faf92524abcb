# Sourced by ./mvnw and ./tidemark: sets JAVA_HOME to a JDK 25, or says clearly what is missing.
# Order: a JAVA_HOME that already is a JDK 25, `java` on the PATH, then the usual install folders.

_tidemark_is_jdk25() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] \
    && grep -q '^JAVA_VERSION="25[."]' "$1/release"
}

_tidemark_find_jdk() {
  _candidates=""
  [ -n "${JAVA_HOME-}" ] && _candidates="$JAVA_HOME"
  if command -v java >/dev/null 2>&1; then
    _candidates="$_candidates $(dirname "$(dirname "$(readlink -f "$(command -v java)")")")"
  fi
  for _home in $_candidates /usr/lib/jvm/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if _tidemark_is_jdk25 "$_home"; then
      JAVA_HOME=$_home
      export JAVA_HOME
      return 0
    fi
  done
  echo "tidemark: no JDK 25 found (looked at JAVA_HOME='${JAVA_HOME-}', java on the PATH, /usr/lib/jvm, /opt/java, ~/.sdkman)." >&2
  echo "tidemark: install a JDK 25 (for example Temurin 25) or set JAVA_HOME to one." >&2
  return 1
}

_tidemark_find_jdk || exit 1
