#!/bin/sh
# The print command of ippeveprinter in tests. Stores each document with its attributes in $PRINTED_TO.
# A file `fail-next` there makes it abort the next job. While there is a file `hold`, no job ends.
set -eu
while [ -e "$PRINTED_TO/hold" ]; do sleep 0.02; done
if [ -e "$PRINTED_TO/fail-next" ]; then
  rm "$PRINTED_TO/fail-next"
  echo 'ERROR: The test has asked for a failure.' >&2
  exit 1
fi
cp "$1" "$PRINTED_TO/$$.pdf"
printf '%s\n' "${IPP_JOB_NAME:-}" "${IPP_SIDES:-}" "${IPP_MEDIA_COL:-}" "${IPP_PRINT_COLOR_MODE:-}" >"$PRINTED_TO/$$.part"
# Complete under its final name only.
mv "$PRINTED_TO/$$.part" "$PRINTED_TO/$$.txt"
