import { fact, type Gathering, gathering, toldOf } from './gather.ts'
import { EACH_CPU, KNOWN_INFLUX } from './known-influx.ts'
import { type Line, readLines } from './line-protocol.ts'
import type { InputReading, Told } from './point.ts'

/** Seconds of a unit of time, as `precision` of the address names it; nanoseconds unless it does. */
const UNITS: Record<string, number> = {
  n: 1e-9,
  ns: 1e-9,
  u: 1e-6,
  us: 1e-6,
  µ: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
}

/** Objects of Proxmox that are the machine itself, and not its guests or storages. */
const OWN_OBJECTS = ['nodes', 'host']

/** Reads what Telegraf, Proxmox and Glances write. `now`: epoch seconds, for lines without a time. */
export function readInfluxLines(
  body: Uint8Array,
  { now, precision }: { now: number; precision: string | null },
): InputReading {
  const unit = Object.hasOwn(UNITS, precision || 'ns') ? UNITS[precision || 'ns'] : undefined
  if (unit === undefined) {
    const units = Object.keys(UNITS).join(', ')
    return { fault: `precision must be one of ${units}; it is ${JSON.stringify(precision?.slice(0, 20))}` }
  }
  const { lines, unreadable, why } = readLines(new TextDecoder().decode(body))
  if (lines.length === 0 && why !== null) return { fault: why }
  const gathered = gathering('influx', KNOWN_INFLUX, now)
  const isOfEach = lines.some(isOfCpu) && tellsOfEachCpu(lines)
  for (const line of lines)
    addLine(gathered, isOfEach && isOfCpu(line) ? { ...line, measurement: EACH_CPU } : line, unit)
  return { ...gathered.finish(), rejected: why === null ? null : { count: unreadable, why } }
}

function isOfCpu({ measurement, tags }: Line): boolean {
  return measurement === 'cpu' && /^cpu\d+$/.test(tags.cpu ?? '')
}

/** Whether a mean over the CPUs can be worked out: nothing says it, and all of them are in the request. */
function tellsOfEachCpu(lines: readonly Line[]): boolean {
  if (lines.some(({ measurement, tags }) => measurement === 'cpu' && tags.cpu === 'cpu-total')) return false
  const count = lines.find(({ measurement, fields }) => measurement === 'system' && fields.has('n_cpus'))
  const named = new Set(lines.filter(isOfCpu).map(({ tags }) => tags.cpu))
  return count?.fields.get('n_cpus') === named.size
}

function addLine(gathered: Gathering, line: Line, unit: number): void {
  const { measurement, tags, strings, fields } = line
  if (tags.object !== undefined && !OWN_OBJECTS.includes(tags.object)) {
    gathered.drop(fields.size, measurement)
    return
  }
  const told = toldBy(line)
  const at = line.time === null ? null : line.time * unit
  const labels = { ...strings, ...tags }
  for (const [field, value] of fields) {
    const name = `${measurement}.${field}`
    const over = Object.hasOwn(KNOWN_INFLUX, name) ? KNOWN_INFLUX[name]?.overField : undefined
    const seconds = over === undefined ? undefined : fields.get(over)
    gathered.add({ name, labels, value, at, over: seconds ?? null }, told)
  }
  if (measurement === 'system') gathered.tell(told)
}

/** Telegraf and Proxmox tag lines with `host`, Glances with `hostname`. */
function toldBy({ measurement, tags, strings }: Line): Told {
  return toldOf({
    host_name: fact(tags.host ?? tags.hostname),
    os: measurement === 'system' ? fact(strings.linux_distro ?? strings.os_name) : null,
  })
}
