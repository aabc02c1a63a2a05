/**
 * A script for `sh -c` that runs the program of its arguments and prints its id. Once whoever started it is gone, or has
 * closed its standard input, it does what ends `$program`.
 */
export function supervising(atEnd: string): string {
  return `
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
echo "$program"
(cat <&3; ${atEnd}) >/dev/null 2>&1 &
wait "$program"
`
}
