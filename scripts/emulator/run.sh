#!/bin/sh
# Runs "$@" for as long as file descriptor 3 stays open at its other end, which is until the process there closes it or
# ends, however that happens. Then the whole process group goes: first the emulator, whose state is worth nothing any
# more, then its functions, and last what watches over them.
#   EMULATOR_FILES  the folder of its temporary files
(
  trap '' TERM
  cat <&3 >/dev/null
  kill -KILL $$
  kill -TERM 0
  rm -rf "$EMULATOR_FILES"
  kill -KILL 0
) &
exec "$@" 3<&-
