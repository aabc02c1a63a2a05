// Loaded into every thread of a service before anything else: its clock on the wall is apart from that of everybody
// else by the seconds that stand in a file. Time since the start stays as it is, as after a step of a real clock.
import { openSync, readSync } from 'node:fs'

const LOOK_EVERY_MS = 50

// Held open: there may be no descriptor left later.
const file = openSync(process.env.CLOCK_OFFSET_FILE ?? '', 'r')
const text = Buffer.alloc(32)
const RealDate = Date
let offsetMs = 0

function look() {
  const seconds = Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)))
  // A file that is being written is empty for a moment.
  if (Number.isFinite(seconds)) offsetMs = seconds * 1_000
}

const now = () => RealDate.now() + offsetMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
look()
setInterval(look, LOOK_EVERY_MS).unref()
