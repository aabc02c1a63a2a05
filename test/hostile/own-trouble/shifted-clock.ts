// Loaded into every thread of a service before anything else: its clock on the wall is apart from that of everybody
// else by the seconds that stand in a file. Time since the start stays as it is, as after a step of a real clock.
import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 50

const file = process.env.CLOCK_OFFSET_FILE ?? ''
const RealDate = Date
let offsetMs = 0

function look() {
  const seconds = Number(readFileSync(file, 'utf8'))
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
