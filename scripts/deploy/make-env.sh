#!/bin/sh
# Writes .env for docker-compose.yml: .env.example with new keys and passwords. If .env exists, it only adds the
# variables of newer versions, because lost keys cannot be replaced. Only the owner may read the file. With --keep, a .env
# that has them all is not an error.
set -eu
umask 077
cd "$(dirname "$0")/../.."

password() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
own_names='MONGODB_PASSWORD MONGODB_ROOT_PASSWORD MONGODB_KEY REDIS_PASSWORD'

if [ -e .env ]; then
  added=
  for name in $own_names; do
    grep -q "^$name=" .env && continue
    printf '\n%s=%s\n' "$name" "$(password)" >> .env
    added="$added $name"
  done
  if [ -n "$added" ]; then
    echo "Added to .env:$added. Keep a copy of it apart from your backups."
    exit 0
  fi
  [ "${1:-}" = --keep ] && exit 0
  echo ".env already exists. Keep it: without its ENCRYPTION_KEYS stored secrets cannot be read." >&2
  exit 1
fi

{
  sed \
    -e "s|^ENCRYPTION_KEYS=\$|ENCRYPTION_KEYS=k1:$(head -c 32 /dev/urandom | base64)|" \
    -e "s|^S3_ACCESS_KEY_ID=\$|S3_ACCESS_KEY_ID=bluejay|" \
    -e "s|^S3_SECRET_ACCESS_KEY=\$|S3_SECRET_ACCESS_KEY=$(password)|" \
    .env.example
  echo
  echo "# --- Of docker-compose.yml alone -------------------------------------------------------------------------------------"
  echo
  for name in $own_names; do
    echo "$name=$(password)"
  done
} > .env.part
mv .env.part .env
echo "Wrote .env. Keep a copy of it apart from your backups."
