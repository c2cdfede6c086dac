#!/bin/sh
# Installs Bluejay and its stores on this machine with Docker: writes .env with new keys and passwords, builds the image,
# starts docker-compose.yml, and waits until it is healthy. Safe to repeat: it then updates a running installation to this
# version of the code.
set -eu
cd "$(dirname "$0")/../.."

fail() { printf '%s\n' "$*" >&2; exit 1; }

command -v docker >/dev/null ||
  fail 'docker is not on PATH. Install it: https://docs.docker.com/engine/install/debian/ (or on Debian 13:' \
    'sudo apt-get install docker.io docker-cli docker-buildx docker-compose), then try again.'
version=$(docker compose version --short 2>/dev/null) || version=
case ${version#v} in
  '' | [01].* | 2.? | 2.?.* | 2.1? | 2.1?.*) fail 'docker has no Compose plugin 2.20 or later. Install docker-compose-plugin (of Docker) or docker-compose (of' \
    'Debian 13), then try again.' ;;
esac
docker info >/dev/null 2>&1 ||
  fail 'The Docker engine does not answer. Start it, or run this command as a user of the group docker, then try again.'

sh scripts/deploy/make-env.sh --keep
# A container of another user reads it. A clone under the umask 077 would not let it.
readable=$(find scripts/deploy/initiate-mongodb.js -perm -044)
[ -n "$readable" ] || chmod go+r scripts/deploy/initiate-mongodb.js

# Once: several services use this image, and `up --build` would build it for each of them.
docker compose build api
# Without --scale, `up` would end all but one container of a service that was scaled.
scale=
for service in workers render; do
  ids=$(docker compose ps --quiet "$service")
  count=$(printf '%s' "$ids" | grep -c . || :)
  [ "$count" -eq 0 ] || scale="$scale --scale $service=$count"
done
# Workers first: a new API may store work that only new workers know. The database is migrated before both.
# shellcheck disable=SC2086 # They are several words.
docker compose up --detach $scale workers render
# shellcheck disable=SC2086 # Likewise.
docker compose up --detach $scale
# `up --wait` counts the end of a one-time service as a failure, so the health checks are asked here.
is_healthy() {
  ids=$(docker compose ps --quiet "$1")
  # shellcheck disable=SC2086 # Likewise.
  [ -n "$ids" ] && [ "$(docker inspect --format '{{.State.Health.Status}}' $ids | sort -u)" = healthy ]
}
deadline=$(($(date +%s) + 600))
for service in api workers render; do
  until is_healthy "$service"; do
    [ "$(date +%s)" -lt "$deadline" ] || fail "$service is not healthy after 10 minutes. See: docker compose logs $service"
    sleep 1
  done
done

url_of() { docker compose exec -T api node -p "process.env.$1"; }
cat <<END
Bluejay is running.
  API        $(url_of BASE_URL)   documentation: $(url_of BASE_URL)/docs
  Web host   $(url_of AUTH_URL)

Next, import tariffs (these are an example), and create an organization with a key for test letters:
  docker compose exec api node scripts/admin.ts tariff import scripts/demo/tariffs.json
  docker compose exec api node scripts/admin.ts org create --name 'Peeters NV' --line1 'Rue Haute 1' --zip 1000 --city Bruxelles --country BE
  docker compose exec api node scripts/admin.ts key create --org org_… --mode test --scopes read,send
END
