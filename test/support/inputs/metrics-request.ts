import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

type Attributes = Record<string, string>
type DataPoint = { value: number; attributes?: Attributes; at: number; since?: number }
export type WrittenMetric = { name: string; gauge?: DataPoint[]; sum?: DataPoint[]; isDelta?: boolean }
export type WrittenResource = { attributes: Attributes; metrics: WrittenMetric[] }

/** An ExportMetricsServiceRequest of OTLP, as JSON. Times are epoch seconds. */
export function metricsJson(resources: WrittenResource[]): Uint8Array {
  const points = (written: DataPoint[] = []) =>
    written.map(({ value, attributes = {}, at, since = 0 }) => ({
      attributes: pairs(attributes),
      startTimeUnixNano: `${since}000000000`,
      timeUnixNano: `${at}000000000`,
      ...(Number.isInteger(value) ? { asInt: String(value) } : { asDouble: value }),
    }))
  const resourceMetrics = resources.map(({ attributes, metrics }) => ({
    resource: { attributes: pairs(attributes) },
    scopeMetrics: [
      {
        scope: { name: 'test' },
        metrics: metrics.map(({ name, gauge, sum, isDelta }) => ({
          name,
          ...(gauge ? { gauge: { dataPoints: points(gauge) } } : {}),
          ...(sum
            ? { sum: { dataPoints: points(sum), aggregationTemporality: isDelta ? 1 : 2, isMonotonic: true } }
            : {}),
        })),
      },
    ],
  }))
  return new TextEncoder().encode(JSON.stringify({ resourceMetrics }))
}

function pairs(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

/** The same in protobuf. */
export function metricsProtobuf(resources: WrittenResource[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const { attributes, metrics } of resources) {
    message(writer, 1, () => {
      message(writer, 1, () => writeAttributes(writer, 1, attributes))
      message(writer, 2, () => {
        message(writer, 1, () => writer.tag(1, WireType.LengthDelimited).string('test'))
        for (const metric of metrics) message(writer, 2, () => writeMetric(writer, metric))
      })
    })
  }
  return writer.finish()
}

function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork()
  write()
  writer.join()
}

function writeMetric(writer: BinaryWriter, { name, gauge, sum, isDelta }: WrittenMetric): void {
  writer.tag(1, WireType.LengthDelimited).string(name)
  writer.tag(3, WireType.LengthDelimited).string('By')
  if (gauge) message(writer, 5, () => writePoints(writer, gauge))
  if (sum) {
    message(writer, 7, () => {
      writePoints(writer, sum)
      writer.tag(2, WireType.Varint).int32(isDelta ? 1 : 2)
      writer.tag(3, WireType.Varint).bool(true)
    })
  }
}

function writePoints(writer: BinaryWriter, points: DataPoint[]): void {
  for (const { value, attributes = {}, at, since = 0 } of points) {
    message(writer, 1, () => {
      writeAttributes(writer, 7, attributes)
      writer.tag(2, WireType.Bit64).fixed64(BigInt(since) * 1_000_000_000n)
      writer.tag(3, WireType.Bit64).fixed64(BigInt(at) * 1_000_000_000n)
      if (Number.isInteger(value)) writer.tag(6, WireType.Bit64).sfixed64(value)
      else writer.tag(4, WireType.Bit64).double(value)
    })
  }
}

function writeAttributes(writer: BinaryWriter, field: number, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    message(writer, field, () => {
      writer.tag(1, WireType.LengthDelimited).string(key)
      message(writer, 2, () => writer.tag(1, WireType.LengthDelimited).string(value))
    })
  }
}

/** The default request of the Collector's hostmetrics receiver, of a machine with two CPUs. */
export function hostMetrics(at: number, { seconds = 1_000 } = {}): WrittenMetric[] {
  const root = { device: '/dev/sda1', mode: 'rw', mountpoint: '/', type: 'ext4' }
  const tmpfs = { device: 'tmpfs', mode: 'rw', mountpoint: '/run', type: 'tmpfs' }
  const point = (value: number, attributes: Attributes = {}): DataPoint => ({
    value,
    attributes,
    at,
    since: at - 86_400,
  })
  const states = {
    idle: 0.75,
    interrupt: 0,
    nice: 0,
    softirq: 0,
    steal: 0,
    system: 0.05,
    user: 0.15,
    wait: 0.05,
  }
  return [
    {
      name: 'system.cpu.time',
      sum: ['cpu0', 'cpu1'].flatMap((cpu) =>
        Object.entries(states).map(([state, share]) => point(seconds * share, { cpu, state })),
      ),
    },
    { name: 'system.cpu.load_average.1m', gauge: [point(0.5)] },
    { name: 'system.cpu.load_average.5m', gauge: [point(0.4)] },
    { name: 'system.cpu.load_average.15m', gauge: [point(0.3)] },
    {
      name: 'system.memory.usage',
      sum: [
        point(2e9, { state: 'used' }),
        point(1e9, { state: 'free' }),
        point(4e9, { state: 'cached' }),
        point(1e9, { state: 'buffered' }),
        point(3e8, { state: 'slab_reclaimable' }),
      ],
    },
    {
      name: 'system.paging.usage',
      sum: [point(5e8, { device: '/swap', state: 'used' }), point(15e8, { device: '/swap', state: 'free' })],
    },
    {
      name: 'system.filesystem.usage',
      sum: [
        point(30e9, { ...root, state: 'used' }),
        point(60e9, { ...root, state: 'free' }),
        point(10e9, { ...root, state: 'reserved' }),
        point(1e9, { ...tmpfs, state: 'free' }),
      ],
    },
    {
      name: 'system.filesystem.inodes.usage',
      sum: [point(100, { ...root, state: 'used' }), point(900, { ...root, state: 'free' })],
    },
    {
      name: 'system.disk.io',
      sum: [
        point(seconds * 1_000, { device: 'sda', direction: 'read' }),
        point(seconds * 2_000, { device: 'sda', direction: 'write' }),
        point(1, { device: 'loop0', direction: 'read' }),
      ],
    },
    { name: 'system.disk.io_time', sum: [point(seconds / 10, { device: 'sda' })] },
    {
      name: 'system.network.io',
      sum: [
        point(seconds * 300, { device: 'eth0', direction: 'receive' }),
        point(seconds * 400, { device: 'eth0', direction: 'transmit' }),
        point(1, { device: 'lo', direction: 'receive' }),
      ],
    },
    {
      name: 'system.network.errors',
      sum: [
        point(1, { device: 'eth0', direction: 'receive' }),
        point(2, { device: 'eth0', direction: 'transmit' }),
      ],
    },
    {
      name: 'system.processes.count',
      sum: [point(20, { status: 'running' }), point(100, { status: 'sleeping' })],
    },
    { name: 'system.network.connections', sum: [point(7, { protocol: 'tcp', state: 'LISTEN' })] },
  ]
}

export const HOST = { 'host.name': 'web-1', 'host.id': 'abc', 'os.description': 'Debian GNU/Linux 12' }
