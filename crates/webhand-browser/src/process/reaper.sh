# The parent of a browser, in a session of its own. It outlives the program
# that wanted the browser, waits for the browser's end, and cleans up.
#
#   $1  the folder to remove afterwards, or nothing
#   $2  "group" when the rest starts the browser as the leader of a group
#   ... the browser and its arguments
#
# fd 0: a pipe from the program. Its end means that the program is gone; the
#       word "now" on it means: do not wait for the browser to go by itself.
# fd 1: the browser's process id is told here, once.
# fd 2: what the browser prints.
# fd 3, fd 4: the browser's debugging pipe. Nobody else may hold them, or the
#       browser would not see that the program is gone.
# fd 6: the profile's lock.
folder=$1
case $2 in group) sign=- ;; *) sign= ;; esac
shift 2
exec 5<&0 </dev/null
trap : HUP PIPE

"$@" </dev/null >/dev/null 5<&- 6>&- &
browser=$!
exec 3<&- 4>&-
trap 'kill -TERM "$sign$browser"' INT TERM QUIT
echo "$browser"
exec >/dev/null 2>&1

# Ends what is left of the browser, and removes its folder. A dying process may
# still write to it.
clean() {
  kill -KILL "$sign$browser"
  tries=0
  while [ -n "$folder" ] && [ -e "$folder" ] && [ $tries -lt 40 ]; do
    rm -rf -- "$folder" && break
    sleep 0.05
    tries=$((tries + 1))
  done
}

# Waits for the program's end. The reaper ends this as soon as the browser is
# gone; where it does not, it was killed, and its work is done here.
(
  trap - INT TERM QUIT
  read -r word <&5
  tries=0
  while [ "$word" != now ] && [ $tries -lt 8 ] && kill -0 "$browser"; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -KILL "$sign$browser"
  sleep 0.5
  clean
) &
watch=$!
exec 5<&-

while kill -0 "$browser"; do
  wait "$browser"
done
kill -KILL "$watch"
clean
exit 0
