#!/bin/sh
# Runs "$@" for as long as standard input stays open, which ends with the process that holds its other end, however
# that one dies. Then the whole process group (the emulator and its functions) ends, and its files with it.
#   EMULATOR_FILES  the folder of its temporary files
exec 3<&0
(
  trap '' TERM INT HUP
  cat <&3 >/dev/null
  kill -TERM 0
  tries=0
  while kill -0 $$ 2>/dev/null && [ $tries -lt 20 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  rm -rf "$EMULATOR_FILES"
  kill -KILL 0
) &
exec "$@" </dev/null 3<&-
