#!/bin/sh
# Entry of every npm script. It installs the locked dependencies when they are missing or older than the lock file, then
# replaces itself by Node with `exec`, so signals reach the program instead of a shell. Its own messages go to standard
# error, because standard output belongs to the program.
set -eu
cd "$(dirname "$0")/.."
task=${1:-}
[ $# -eq 0 ] || shift

say() { printf '%s\n' "$*" >&2; }

is_installed() {
  [ -f node_modules/.package-lock.json ] && [ -z "$(find package-lock.json -newer node_modules/.package-lock.json)" ]
}

install_dependencies() {
  command -v npm >/dev/null 2>&1 || { say "npm is not on PATH. Install Node.js with npm, then try again."; exit 1; }
  install_log=$(mktemp "${TMPDIR:-/tmp}/bluejay-install.XXXXXX")
  printf 'Installing dependencies (first start only) ' >&2
  # No install scripts: packages contain their binaries, which the lock file's checksums cover.
  npm ci --ignore-scripts --no-audit --no-fund --prefer-offline >"$install_log" 2>&1 &
  npm_pid=$!
  trap 'kill "$npm_pid" 2>/dev/null; rm -f "$install_log"; exit 130' INT TERM HUP
  while kill -0 "$npm_pid" 2>/dev/null; do
    sleep 1
    printf '.' >&2
  done
  if wait "$npm_pid"; then
    say ' done'
    trap - INT TERM HUP
    rm -f "$install_log"
  else
    say ' failed'
    cat "$install_log" >&2
    rm -f "$install_log"
    say "The dependencies could not be installed. Fix the npm error above, then try again."
    exit 1
  fi
}

# Locks package-lock.json itself, which npm does not remove. The lock of a killed start is released.
if ! is_installed; then
  exec 9<package-lock.json
  if command -v flock >/dev/null 2>&1; then flock 9; fi
  is_installed || install_dependencies
  exec 9<&-
fi

# Runs each candidate, because a node_modules copied from another platform contains a Node that cannot run here.
find_node() {
  for candidate in node_modules/.bin/node node; do
    if major=$("$candidate" -p 'process.versions.node.split(".")[0]' 2>/dev/null) && [ "$major" -ge 26 ]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

node=$(find_node) || {
  say "Bluejay needs Node.js 26 or later, and no package provides it for this platform. Install it, then try again."
  exit 1
}

# Compiled modules of the last run: programs start with a third less CPU time. Not for the tests, which load each test
# file under a new address that would stay there.
if [ "$task" = test ]; then unset NODE_COMPILE_CACHE; else export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/bluejay"; fi

case $task in
  start) exec "$node" scripts/start.ts "$@" ;;
  test) exec "$node" scripts/test.ts "$@" ;;
  test:contract) exec "$node" scripts/test-contract.ts "$@" ;;
  check)
    "$node" scripts/lint.ts --changed
    unset NODE_COMPILE_CACHE
    exec "$node" scripts/test.ts --changed "$@"
    ;;
  generate) exec "$node" scripts/generate.ts "$@" ;;
  lint) exec "$node" scripts/lint.ts "$@" ;;
  format) exec "$node" node_modules/@biomejs/biome/bin/biome check --write "$@" ;;
  bench) exec "$node" scripts/bench/main.ts "$@" ;;
  soak) exec "$node" scripts/soak.ts "$@" ;;
  admin) exec "$node" scripts/admin.ts "$@" ;;
  bluejay) exec "$node" scripts/sdk/cli/main.ts "$@" ;;
  mcp) exec "$node" scripts/mcp.ts "$@" ;;
  prove) exec "$node" scripts/prove.ts "$@" ;;
  release) exec "$node" scripts/release/main.ts "$@" ;;
  dashboards) exec "$node" scripts/deploy/monitoring/dashboards/write-dashboards.ts "$@" ;;
  reconcile) exec "$node" scripts/reconcile.ts "$@" ;;
  *)
    say "Usage: sh scripts/run.sh start|test|test:contract|check|generate|lint|format|bench|soak|admin|bluejay|mcp|prove|release|dashboards|reconcile [options]"
    exit 1
    ;;
esac
